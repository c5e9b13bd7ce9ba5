import type { DanglingDns, LiveCheck, Troubleshooting } from '../domain-checks.ts'
import type { BegunConnect, ConnectOffer, FinishedConnect } from '../domain-connect.ts'
import type { Evidence } from '../evidence.ts'
import type { Spread, SwitchComparison, SwitchView } from '../domain-switch.ts'
import type {
  CertificateAttempt,
  Domain,
  DomainDetails,
  IssuanceBudget,
  ProjectDomains,
  RemovedDomain,
} from '../domains.ts'

/** Under which names it is published. */
export interface DomainRoutes {
  'GET /projects/{project}/domains': { answer: ProjectDomains & { domains: Domain[] } }
  'POST /projects/{project}/domains': { body: { hostname: string }; answer: DomainDetails }
  'POST /projects/{project}/prepared-domains': { body: { hostname: string }; answer: DomainDetails }
  'GET /projects/{project}/domains/{hostname}': { answer: DomainDetails }
  'DELETE /projects/{project}/domains/{hostname}': {
    query: { revoke?: boolean }
    answer: { domains: ProjectDomains; removed: Domain }
  }
  'POST /projects/{project}/domains/{hostname}/verify': { answer: Domain }
  'PUT /projects/{project}/domains/{hostname}/primary': { answer: ProjectDomains }
  'PUT /projects/{project}/domains/{hostname}/redirect': {
    body: { to: string; status?: number }
    answer: ProjectDomains
  }
  'PUT /projects/{project}/domains/{hostname}/hsts': { body: { seconds?: number }; answer: Domain }
  'GET /projects/{project}/domains/{hostname}/evidence': { query: { check?: number }; answer: Evidence }
  'GET /projects/{project}/domains/{hostname}/budget': { answer: IssuanceBudget }
  'GET /projects/{project}/domains/{hostname}/attempts': { answer: CertificateAttempt[] }
  'POST /projects/{project}/domains/{hostname}/live-check': { answer: LiveCheck }
  'POST /projects/{project}/domains/{hostname}/troubleshoot': { answer: Troubleshooting }
  'GET /projects/{project}/domains/{hostname}/dangling': { answer: DanglingDns }
  'GET /projects/{project}/domains/{hostname}/switch': { answer: SwitchView }
  'POST /projects/{project}/domains/{hostname}/switch/comparison': { answer: SwitchComparison }
  'POST /projects/{project}/domains/{hostname}/switch/answers': { answer: Spread }
  'GET /projects/{project}/domains/{hostname}/connect': { answer: ConnectOffer }
  'POST /projects/{project}/domains/{hostname}/connect': { answer: BegunConnect }
  'POST /projects/{project}/domains/{hostname}/connect/return': {
    body: { state: string; error?: string; description?: string }
    answer: FinishedConnect
  }
  'GET /projects/{project}/removed-domains': { answer: RemovedDomain[] }
}
