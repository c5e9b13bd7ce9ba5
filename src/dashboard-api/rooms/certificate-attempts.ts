import '../../features/audit/tables.ts'
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
      id: 'listCertificateAttempts', method: 'GET', path: '/projects/{project}/domains/{hostname}/attempts', role: 'viewer',
      async handle(call) {
        const { projectId } = call.project
        const { hostname } = await requireDomain(call, call.project, parameter(call, 'hostname'), { removedToo: true })
        return ok(await listAttempts(call.storage.read, projectId, hostname))
      },
    }),
  ]
}

async function listAttempts(db: Db, projectId: number, hostname: string): Promise<CertificateAttemptView[]> {
  const rows = await db
    .selectFrom('audit_entries')
    .select(['at', 'verb', 'details'])
    .where('project_id', '=', projectId)
    .where('subject', '=', hostname)
    .where('verb', 'in', Object.keys(RESULTS))
    .orderBy('id', 'desc')
    .limit(ATTEMPTS_MAX)
    .execute()
  return rows.map(({ at, verb, details }) => {
    const { code = null } = JSON.parse(details) as { code?: CertificateAttemptView['problem'] }
    return { at: new Date(at).toISOString(), result: RESULTS[verb] as CertificateAttemptView['result'], problem: code }
  })
}
