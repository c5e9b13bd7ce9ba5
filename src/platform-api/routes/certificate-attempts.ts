import { iso } from '../../platform/iso-date.ts'
import { listEntriesOfSubject } from '../../features/audit/queries.ts'
import { requireDomain } from '../../features/domains/domains.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { CertificateAttemptView } from '../certificate-attempt-view.ts'
import { ok, parameter, route } from '../route.ts'

const ATTEMPTS_MAX = 20

const RESULTS: Record<string, CertificateAttemptView['result']> = {
  'certificate.issue': 'issued',
  'certificate.renew': 'renewed',
  'certificate.fail': 'failed',
  'certificate.revoke': 'revoked',
}

/** Every try for a certificate of a domain, newest first, as the audit log has kept it. */
export function certificateAttemptRoutes() {
  return [
    route({
      id: 'listCertificateAttempts',
      method: 'GET',
      path: '/projects/{project}/domains/{hostname}/attempts',
      role: 'viewer',
      async handle(call) {
        const { projectId } = call.project
        const { hostname } = await requireDomain(call, call.project, parameter(call, 'hostname'), { removedToo: true })
        return ok(await listAttempts(call.storage.read, projectId, hostname))
      },
    }),
  ]
}

async function listAttempts(db: Db, projectId: number, hostname: string): Promise<CertificateAttemptView[]> {
  const wanted = { projectId, subject: hostname, verbs: Object.keys(RESULTS), limit: ATTEMPTS_MAX }
  const rows = await listEntriesOfSubject(db, wanted)
  return rows.map(({ at, verb, details }) => {
    const { code = null } = JSON.parse(details) as { code?: CertificateAttemptView['problem'] }
    return { at: iso(at), result: RESULTS[verb] as CertificateAttemptView['result'], problem: code }
  })
}
