import type { Account, NewAccountInvitation } from '../accounts.ts'
import type { PublishedConnect } from '../domain-connect.ts'
import type { PlatformName } from '../domains.ts'
import type { Backlog, Instance, PlatformCertificate } from '../operator.ts'
import type { AnyProject, Plan } from '../projects.ts'
import type { SearchQuery } from './queries.ts'

/** What the operator of the platform sees and decides. */
export interface OperatorRoutes {
  'GET /operator/projects': { query: SearchQuery; answer: AnyProject[] }
  'PUT /operator/projects/{slug}/plan': { body: { plan: Plan }; answer: AnyProject }
  'PUT /operator/projects/{slug}/suspension': { body: { reason: string }; answer: AnyProject }
  'DELETE /operator/projects/{slug}/suspension': { answer: AnyProject }
  'GET /operator/accounts': { query: SearchQuery; answer: Account[] }
  'GET /operator/instances': { answer: Instance[] }
  'GET /operator/work': { answer: Backlog }
  'GET /operator/certificates': { answer: PlatformCertificate[] }
  'GET /operator/domain-connect': { answer: PublishedConnect }
  'GET /operator/platform-names': { answer: PlatformName[] }
  'POST /operator/invitations': { body: { email?: string }; answer: NewAccountInvitation }
}
