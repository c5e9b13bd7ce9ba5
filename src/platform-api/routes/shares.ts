import type { StoredContents } from '../../features/deploys/stored.ts'
import { type UploadGate, UPLOADS_OF_PROJECT_MAX } from '../../features/deploys/upload-gate.ts'
import { DOMAINS_MAX } from '../../features/domains/claims.ts'
import type { DomainShares } from '../../features/domains/observation/shares.ts'
import { countActiveKeys } from '../../features/keys/queries.ts'
import { LIVE_KEYS_MAX } from '../../features/keys/writes.ts'
import { ENDPOINTS_MAX } from '../../features/webhooks/endpoint-writes.ts'
import { listEndpoints } from '../../features/webhooks/webhooks.ts'
import { RECORDS_MAX, STORED_BYTES_MAX } from '../../features/projects/plan-shares.ts'
import type { CountDomains } from '../../features/projects/projects.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Share } from '../../platform/share.ts'
import type { RowRoom } from '../../platform/storage/rows/row-room.ts'
import { ok, route } from '../route.ts'
import type { ShareView } from '../views/share.ts'

export interface SharesRouteNeeds {
  clock: Clock
  stored: Pick<StoredContents, 'bytesOf'>
  uploads: { gate: Pick<UploadGate, 'underWay'> }
  rooms: Record<'pets' | 'orders', Pick<RowRoom, 'used'>>
  countDomains: CountDomains
  domains: { shares: DomainShares }
  /** Changes that people make, which all leave entries in the audit log. */
  editing: Share
}

/** What one project may take of what all share, and how much of it is taken. */
export function sharesRoutes({ clock, stored, uploads, rooms, countDomains, domains, editing }: SharesRouteNeeds) {
  const flowing = (share: ShareView['share'], of: Share, projectId: number): ShareView => ({
    share,
    used: Math.min(of.used(projectId), of.limits.burst),
    limit: of.limits.burst,
    perMinute: of.limits.perMinute,
  })
  return [
    route({
      id: 'getShares',
      summary: 'See how much of its shares a project has used',
      method: 'GET',
      path: '/projects/{project}/shares',
      role: 'viewer',
      async handle({ storage: { read }, project: { projectId, plan } }) {
        const kept = (share: ShareView['share'], used: number, limit: number): ShareView => {
          return { share, used, limit, perMinute: null }
        }
        const { verify, questions, live } = domains.shares
        return ok([
          kept('storage', await stored.bytesOf(projectId), STORED_BYTES_MAX[plan]),
          kept('animals', await rooms.pets.used(projectId), RECORDS_MAX[plan]),
          kept('orders', await rooms.orders.used(projectId), RECORDS_MAX[plan]),
          kept('uploads', uploads.gate.underWay(projectId), UPLOADS_OF_PROJECT_MAX),
          kept('keys', await countActiveKeys(read, projectId, clock.now()), LIVE_KEYS_MAX),
          kept('webhooks', (await listEndpoints({ storage: { read }, clock }, projectId)).length, ENDPOINTS_MAX),
          kept('domains', await countDomains(projectId), DOMAINS_MAX),
          flowing('changes', editing, projectId),
          flowing('verify', verify, projectId),
          flowing('dnsQuestions', questions, projectId),
          flowing('liveChecks', live, projectId),
        ])
      },
    }),
  ]
}
