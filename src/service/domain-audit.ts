import { audited } from '../features/audit/audited.ts'
import { recordFailure, storeCertificate } from '../features/certificates/order/outcome-writes.ts'
import { markRevoked } from '../features/certificates/writes.ts'
import type { AuditNote } from '../platform/storage/audit-note.ts'
import { expireClaim, recordCheck } from '../features/domains/check-writes.ts'
import {
  insertDomain,
  makePrimaryRow,
  removeDomainRow,
  requestCheck,
  type RoleOutcome,
  setHsts,
  setRedirectRow,
} from '../features/domains/writes.ts'
import { markNotificationsRead } from '../features/domains/notifications/notifications.ts'

/** What the audit log says of domains and their certificates, whoever or whatever changed them. */
export const auditedDomainWrites = [
  audited(insertDomain, ({ hostname, projectId }, outcome) => {
    if (outcome.kind !== 'added') return undefined
    const { redirect_to: redirectsTo } = outcome.row
    return { verb: 'domain.add', subject: hostname, projectId, details: { redirectsTo, contested: outcome.contested } }
  }),
  audited(requestCheck, ({ hostname, projectId }, outcome) =>
    outcome.kind === 'requested' ? { verb: 'domain.verify', subject: hostname, projectId } : undefined,
  ),
  audited(makePrimaryRow, ({ hostname, projectId }, outcome) => {
    const details = { before: formerPrimary(outcome) }
    return changed(outcome, { verb: 'domain.primary', subject: hostname, projectId, details })
  }),
  audited(setRedirectRow, ({ hostname, projectId, to, status }, outcome) =>
    changed(outcome, { verb: 'domain.redirect', subject: hostname, projectId, details: { to, status } }),
  ),
  audited(setHsts, ({ hostname, projectId, seconds }, outcome) =>
    outcome.kind === 'saved' ? { verb: 'domain.hsts', subject: hostname, projectId, details: { seconds } } : undefined,
  ),
  audited(removeDomainRow, ({ hostname, projectId, revoke }, outcome) =>
    outcome.kind === 'removed'
      ? { verb: 'domain.remove', subject: hostname, projectId, details: { revoke } }
      : undefined,
  ),
  audited(recordCheck, ({ outcome: result, problems }, outcome) => {
    if (outcome.kind !== 'recorded') return undefined
    const { before, row, loser } = outcome
    const { hostname, project_id: projectId } = row
    const notes: AuditNote[] = []
    const details = { result, problems: problems.join(' ') }
    if (before.verified_at === null && row.verified_at !== null) {
      notes.push({ verb: 'domain.verified', subject: hostname, projectId, details })
    } else if (before.verified_at !== null && row.verified_at === null) {
      notes.push({ verb: 'domain.unserved', subject: hostname, projectId, details })
    } else if (before.problems !== row.problems || (before.failing_since === null) !== (row.failing_since === null)) {
      notes.push({ verb: 'domain.checked', subject: hostname, projectId, details })
    }
    if (loser) notes.push({ verb: 'domain.lost', subject: hostname, projectId: loser.project_id })
    return notes
  }),
  audited(expireClaim, (_, outcome) =>
    outcome.kind === 'expired'
      ? { verb: 'domain.expire', subject: outcome.row.hostname, projectId: outcome.row.project_id }
      : undefined,
  ),

  audited(storeCertificate, ({ certificate }, outcome) => {
    if (outcome.kind !== 'stored') return undefined
    const { hostname, issuer_name: issuer, serial, not_after } = certificate
    const verb = outcome.renewed ? 'certificate.renew' : 'certificate.issue'
    const details = { issuer, serial, notAfter: new Date(not_after).toISOString() }
    return { verb, subject: hostname, projectId: outcome.projectId, details }
  }),
  audited(recordFailure, ({ lease: { subject }, problem: { code } }, outcome) =>
    outcome.kind === 'recorded'
      ? { verb: 'certificate.fail', subject, projectId: outcome.projectId, details: { code } }
      : undefined,
  ),
  audited(markRevoked, ({ hostname, projectId, id }) => ({
    verb: 'certificate.revoke',
    subject: hostname,
    projectId,
    details: { id },
  })),
  // Reading one's own news changes nothing that anybody else would ask about.
  audited(markNotificationsRead, () => undefined),
]

const changed = (outcome: RoleOutcome, note: AuditNote) => (outcome.kind === 'saved' ? note : undefined)

const formerPrimary = (outcome: RoleOutcome) => (outcome.kind === 'saved' ? outcome.before.primary : null)
