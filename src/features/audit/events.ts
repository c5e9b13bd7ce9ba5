import type { NewMessage } from '../../platform/outbox/record.ts'
import type { AuditNote } from '../../platform/storage/audit-note.ts'

/** What programs are told of a change that people see in the log. Animals and orders tell of themselves. */
export const EVENT_OF_VERB: Readonly<Record<string, string>> = {
  'deploy.create': 'deploy.created',
  'deploy.keep': 'deploy.created',
  'deploy.activate': 'deploy.activated',
  'deploy.delete': 'deploy.deleted',
  'domain.add': 'domain.added',
  'domain.verified': 'domain.verified',
  'domain.checked': 'domain.checked',
  'domain.primary': 'domain.changed',
  'domain.redirect': 'domain.changed',
  'domain.hsts': 'domain.changed',
  'domain.unserved': 'domain.unserved',
  'domain.lost': 'domain.lost',
  'domain.expire': 'domain.expired',
  'domain.served_wrong': 'domain.served_wrong',
  'domain.served_right': 'domain.served_right',
  'domain.remove': 'domain.removed',
  'certificate.issue': 'certificate.issued',
  'certificate.renew': 'certificate.renewed',
  'certificate.fail': 'certificate.failed',
  'certificate.expiring': 'certificate.expiring',
  'certificate.revoke': 'certificate.revoked',
  'key.create': 'key.created',
  'key.rotate': 'key.rotated',
  'key.revoke': 'key.revoked',
}

const BY_HOSTNAME = new Set(['domain', 'certificate'])

/** Undefined for what is of no project, or of no interest to programs. */
export function eventOf({ verb, subject, projectId, details }: AuditNote): NewMessage | undefined {
  const type = EVENT_OF_VERB[verb]
  if (type === undefined || typeof projectId !== 'number') return undefined
  const [noun = ''] = verb.split('.')
  // The resource of a certificate is its domain: what happens to both is told in its order.
  const [resource, name] = BY_HOSTNAME.has(noun) ? ['domain', 'hostname'] : [noun, 'id']
  const environment = typeof details?.environment === 'string' ? details.environment : undefined
  const data = JSON.stringify({ [name]: subject, ...details })
  return { projectId, type, environment, resource: `${resource}/${subject}`, data }
}
