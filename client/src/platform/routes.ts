import type { OrderFilter, PetFilter } from '../pages.ts'
import type { NewOrder, NewPet, Order, OrderPatch, Pet, PetPatch } from '../types.ts'
import type {
  Account,
  AuditEntry,
  Invitation,
  LinkView,
  Member,
  NewAccountInvitation,
  NewInvitation,
  NewSecondFactor,
  OpenSession,
  Role,
  SecondFactor,
  SecondStep,
  Session,
} from './accounts.ts'
import type {
  ApplyRequest,
  BegunConnect,
  ConnectConsent,
  ConnectOffer,
  FinishedConnect,
  PublishedConnect,
} from './domain-connect.ts'
import type { DanglingDns, Evidence, LiveCheck, Troubleshooting } from './domain-checks.ts'
import type { Spread, SwitchComparison, SwitchView } from './domain-switch.ts'
import type {
  CertificateAttempt,
  Domain,
  DomainDetails,
  IssuanceBudget,
  PlatformName,
  ProjectDomains,
  RemovedDomain,
} from './domains.ts'
import type {
  AnyProject,
  BoundedCount,
  Deploy,
  DeployFiles,
  DeployResult,
  DeployWish,
  Environment,
  FailedRequest,
  IncompleteDeploy,
  Installation,
  Key,
  NewKey,
  NewToken,
  Notification,
  Overview,
  Plan,
  Project,
  Requests,
  RequestsRange,
  SentImport,
  Share,
  Token,
  TokenInUse,
  TokenScope,
  Usage,
} from './projects.ts'
import type { Backlog, Instance, PlatformCertificate } from './operator.ts'
import type { EventType } from '../webhooks/events.ts'
import type { FetchedMessage, NewWebhook, Webhook, WebhookMessage, WebhookMessageDetails } from './webhooks.ts'
import type { NewSandboxFault, NewSandboxRecord, SandboxFault, SandboxRecord, SandboxZone } from './sandbox.ts'

interface SignedIn {
  account: Account
}

type SignInAnswer = { account: Account; secondStep: null } | { account: null; secondStep: SecondStep }

interface PageQuery {
  limit?: number
  cursor?: string
}

interface AuditQuery extends PageQuery {
  /** The noun of the verbs: `pet`, `key`, `domain` … */
  about?: string
  /** What was changed: an id, a hostname, an address. */
  subject?: string
  environment?: Environment
}

/**
 * Every request of the management interface: what it takes and what it answers. A test holds it against the
 * service's own route table and types.
 */
export interface Routes {
  'GET /session': { answer: Session }
  'POST /sign-in': {
    body: { email: string; password: string }
    answer: SignInAnswer
  }
  'POST /sign-in/second-step': { body: { ticket: string; code?: string; passkey?: string }; answer: SignedIn }
  'POST /sign-in/passkey/options': { body: {}; answer: { ticket: string; options: unknown } }
  'POST /sign-in/passkey': { body: { ticket: string; passkey: string }; answer: SignedIn }
  'POST /sign-up': { body: { email: string; name: string; password: string; token?: string }; answer: SignedIn }
  'POST /sign-out': { answer: void }
  'POST /links/inspect': { body: { token: string }; answer: LinkView }
  'POST /invitations/accept': { body: { token: string }; answer: { project: { slug: string; name: string } | null } }
  'POST /password': { body: { currentPassword: string; newPassword: string }; answer: SignedIn }
  'POST /password/reset': { body: { token: string; password: string }; answer: SignInAnswer }
  'POST /password/forgot': { body: { email: string }; answer: void }
  'PATCH /account': { body: { name: string }; answer: SignedIn }
  'GET /account/second-factors': { answer: { factors: SecondFactor[]; recoveryCodesLeft: number } }
  'POST /account/second-factors/codes': {
    body: { currentPassword: string }
    answer: { ticket: string; secret: string; uri: string }
  }
  'POST /account/second-factors/codes/confirm': {
    body: { ticket: string; code: string; name: string }
    answer: NewSecondFactor
  }
  'POST /account/second-factors/passkey': {
    body: { currentPassword: string }
    answer: { ticket: string; options: unknown }
  }
  'POST /account/second-factors/passkey/confirm': {
    body: { ticket: string; passkey: string; name: string }
    answer: NewSecondFactor
  }
  'POST /account/second-factors/{factor}/remove': { body: { currentPassword: string }; answer: void }
  'POST /account/recovery-codes': { body: { currentPassword: string }; answer: { recoveryCodes: string[] } }
  /** `sentTo` names the address that has to be confirmed first; null when it has been changed. */
  'POST /account/email': {
    body: { email: string; currentPassword: string }
    answer: SignedIn & { sentTo: string | null }
  }
  'POST /account/email/confirmation': { answer: { sentTo: string } }
  'POST /account/email/confirm': { body: { token: string }; answer: { email: string } }
  'GET /account/audit': { query: AuditQuery; answer: AuditEntry[] }
  'GET /sessions': { answer: OpenSession[] }
  'DELETE /sessions/{session}': { answer: void }
  'POST /sessions/end-others': { answer: { ended: number } }

  'GET /installation': { answer: Installation }

  'GET /projects': { answer: Project[] }
  'POST /projects': { body: { slug: string; name?: string }; answer: Project }
  'GET /projects/{project}': { answer: Project }
  'PATCH /projects/{project}': {
    body: { name?: string; slug?: string; requireSecondFactor?: boolean }
    answer: Project
  }
  'DELETE /projects/{project}': { body: { confirm: string }; answer: void }
  'POST /projects/{project}/leave': { query: { keysTo?: string }; answer: void }
  'GET /projects/{project}/overview': { answer: Overview }
  'GET /projects/{project}/usage': { query: { environment?: Environment; days?: number }; answer: Usage }
  'GET /projects/{project}/requests': { query: { environment?: Environment; range?: RequestsRange }; answer: Requests }
  'GET /projects/{project}/traffic': { query: { range?: RequestsRange }; answer: Requests }
  'GET /projects/{project}/failed-requests': { query: { environment?: Environment }; answer: FailedRequest[] }
  'GET /projects/{project}/audit': { query: AuditQuery; answer: AuditEntry[] }
  /** Server-sent events named `change`; the data are nouns of what has changed. For an EventSource, not for `call`. */
  'GET /projects/{project}/events': { answer: never }
  'GET /projects/{project}/notifications': { answer: { unread: number; notifications: Notification[] } }
  'POST /projects/{project}/notifications/read': { body: { upTo: number }; answer: void }

  'GET /projects/{project}/members': { answer: Member[] }
  /** Whoever becomes a viewer loses the keys that they have made, unless another member takes them over. */
  'PATCH /projects/{project}/members/{account}': { query: { keysTo?: string }; body: { role: Role }; answer: void }
  /** The keys and tokens that the member has made end, unless another member takes them over. */
  'DELETE /projects/{project}/members/{account}': { query: { keysTo?: string }; answer: void }
  'GET /projects/{project}/invitations': { answer: Invitation[] }
  'POST /projects/{project}/invitations': { body: { role: Role; email?: string }; answer: NewInvitation }
  'GET /invitations/{invitation}/mail': { answer: Pick<Invitation, 'mail' | 'mailRefusal'> }
  'DELETE /projects/{project}/invitations/{invitation}': { answer: void }

  'GET /projects/{project}/keys': { query: { environment?: Environment }; answer: Key[] }
  'POST /projects/{project}/keys': {
    body: { environment: Environment; name?: string; scopes?: ('read' | 'write')[]; expiresAt?: string }
    answer: NewKey
  }
  'POST /projects/{project}/keys/{key}/rotate': { body: { overlapHours?: number }; answer: NewKey }
  'DELETE /projects/{project}/keys/{key}': { answer: Key }

  /** By a token, what it is. */
  'GET /token': { answer: TokenInUse }
  'GET /projects/{project}/tokens': { answer: Token[] }
  'POST /projects/{project}/tokens': {
    body: { name: string; scopes: TokenScope[]; expiresInDays?: number }
    answer: NewToken
  }
  'DELETE /projects/{project}/tokens/{token}': { answer: Token }

  'GET /projects/{project}/webhooks': { answer: Webhook[] }
  'POST /projects/{project}/webhooks': {
    body: { url: string; name?: string; events?: EventType[]; environment?: Environment }
    answer: NewWebhook
  }
  'PATCH /projects/{project}/webhooks/{webhook}': {
    body: { url?: string; name?: string; events?: EventType[]; environment?: Environment | 'both'; on?: boolean }
    answer: Webhook
  }
  'DELETE /projects/{project}/webhooks/{webhook}': { answer: void }
  'POST /projects/{project}/webhooks/{webhook}/rotate': { body: { overlapHours?: number }; answer: NewWebhook }
  'POST /projects/{project}/webhooks/{webhook}/test': { answer: WebhookMessage }
  'GET /projects/{project}/webhooks/{webhook}/messages': { query: PageQuery; answer: WebhookMessage[] }
  'GET /projects/{project}/webhooks/{webhook}/messages/{message}': { answer: WebhookMessageDetails }
  'POST /projects/{project}/webhooks/{webhook}/messages/{message}/resend': { answer: WebhookMessageDetails }
  'POST /projects/{project}/listeners': {
    body: { events?: EventType[]; environment?: Environment }
    answer: { id: string; secret: string }
  }
  'GET /projects/{project}/listeners/{listener}/messages': { query: { wait?: number }; answer: FetchedMessage[] }
  'POST /projects/{project}/listeners/{listener}/messages/{message}': {
    body: { url: string; status?: number; error?: string; durationMs: number }
    answer: void
  }
  'DELETE /projects/{project}/listeners/{listener}': { answer: void }

  'GET /projects/{project}/deploys': { answer: Deploy[] }
  'GET /projects/{project}/deploys/{deploy}': { answer: Deploy }
  'GET /projects/{project}/deploys/{deploy}/files': { answer: DeployFiles }
  'POST /projects/{project}/deploys': {
    query: DeployWish
    body: { files: { path: string; sha256: string; bytes: number }[] }
    answer: DeployResult | IncompleteDeploy
  }
  'POST /projects/{project}/deploys/archive': { query: DeployWish; body: Blob; answer: DeployResult }
  'PUT /projects/{project}/blobs/{sha256}': { body: Blob; answer: void }
  'DELETE /projects/{project}/deploys/{deploy}': { answer: void }
  'GET /projects/{project}/shares': { answer: Share[] }
  'POST /projects/{project}/deploys/{deploy}/activate': { answer: Deploy }

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

  'GET /projects/{project}/environments/{environment}/pets': {
    query: PageQuery & PetFilter
    answer: Pet[]
  }
  'POST /projects/{project}/environments/{environment}/pets': { body: NewPet; answer: Pet }
  'GET /projects/{project}/environments/{environment}/pets/{petId}': { answer: Pet }
  'PATCH /projects/{project}/environments/{environment}/pets/{petId}': { body: PetPatch; answer: Pet }
  'DELETE /projects/{project}/environments/{environment}/pets/{petId}': { answer: void }
  'GET /projects/{project}/environments/{environment}/counts/pets': { query: PetFilter; answer: BoundedCount }
  'GET /projects/{project}/environments/{environment}/counts/orders': { query: OrderFilter; answer: BoundedCount }
  'GET /projects/{project}/environments/{environment}/imports/{sha256}': { answer: SentImport }
  'POST /projects/{project}/environments/{environment}/imports/{sha256}': {
    body: { after: number; through: number; animals: NewPet[]; last: boolean }
    answer: SentImport
  }
  'GET /projects/{project}/environments/{environment}/store/orders': {
    query: PageQuery & OrderFilter
    answer: Order[]
  }
  'POST /projects/{project}/environments/{environment}/store/orders': { body: NewOrder; answer: Order }
  'GET /projects/{project}/environments/{environment}/store/orders/{orderId}': { answer: Order }
  'PATCH /projects/{project}/environments/{environment}/store/orders/{orderId}': { body: OrderPatch; answer: Order }

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

  'GET /operator/projects': { answer: AnyProject[] }
  'PUT /operator/projects/{slug}/plan': { body: { plan: Plan }; answer: AnyProject }
  'PUT /operator/projects/{slug}/suspension': { body: { reason: string }; answer: AnyProject }
  'DELETE /operator/projects/{slug}/suspension': { answer: AnyProject }
  'GET /operator/accounts': { answer: Account[] }
  'GET /operator/instances': { answer: Instance[] }
  'GET /operator/work': { answer: Backlog }
  'GET /operator/certificates': { answer: PlatformCertificate[] }
  'GET /operator/domain-connect': { answer: PublishedConnect }
  'GET /operator/platform-names': { answer: PlatformName[] }
  'POST /operator/invitations': { body: { email?: string }; answer: NewAccountInvitation }
}
