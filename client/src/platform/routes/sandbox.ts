import type { ApplyRequest, ConnectConsent } from '../domain-connect.ts'
import type { NewSandboxFault, NewSandboxRecord, SandboxFault, SandboxRecord, SandboxZone } from '../sandbox.ts'

/** The registrar for rehearsals, and its side of Domain Connect. */
export interface SandboxRoutes {
  'GET /sandbox/zones': { answer: SandboxZone[] }
  'POST /sandbox/zones': { body: { apex: string }; answer: void }
  'DELETE /sandbox/zones/{apex}': { answer: void }
  'POST /sandbox/zones/{apex}/records': { body: NewSandboxRecord; answer: SandboxRecord }
  'DELETE /sandbox/zones/{apex}/records/{record}': { answer: void }
  'POST /sandbox/zones/{apex}/faults': { body: NewSandboxFault; answer: SandboxFault }
  'DELETE /sandbox/zones/{apex}/faults/{fault}': { answer: void }

  'GET /sandbox/domain-connect/v2/{domain}/settings': { answer: unknown }
  'GET /sandbox/domain-connect/v2/domainTemplates/providers/{provider}/services/{service}': { answer: unknown }
  'POST /sandbox/domain-connect/consent': { body: ApplyRequest; answer: ConnectConsent }
  'POST /sandbox/domain-connect/apply': {
    body: ApplyRequest & { consents: boolean }
    answer: { redirect: string | null }
  }
}
