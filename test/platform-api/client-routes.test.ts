import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Routes } from '../../client/src/platform/platform.ts'
import type { Account, listAccounts } from '../../src/features/accounts/accounts.ts'
import type { inspectLink } from '../../src/features/accounts/links.ts'
import type { askForConfirmation, changeAddress, confirmAddress } from '../../src/features/accounts/address.ts'
import type { invitationMail, invite, listInvitations, listMembers } from '../../src/features/accounts/members.ts'
import type {
  beginCodes,
  confirmCodes,
  confirmPasskey,
  listFactors,
} from '../../src/features/accounts/second-factors/second-factors.ts'
import type { SecondStep } from '../../src/features/accounts/second-factors/second-step.ts'
import type { endOtherSessions, listSessions } from '../../src/features/accounts/sessions.ts'
import type { AuditEntry } from '../../src/features/audit/audit.ts'
import type { DeployOutcome, DeployView } from '../../src/features/deploys/deploys.ts'
import type { PlannedFile } from '../../src/features/deploys/files/manifest.ts'
import type { AddDomain, SetHsts, SetRedirect } from '../../src/features/domains/contract.ts'
import type * as connect from '../../src/features/domains/connect/apply.ts'
import type { compareSites, showSwitch } from '../../src/features/domains/switch/comparison.ts'
import type { showSpread } from '../../src/features/domains/switch/spread.ts'
import type * as domains from '../../src/features/domains/domains.ts'
import type { checkServed } from '../../src/features/domains/live/check.ts'
import type { findDangling } from '../../src/features/domains/live/dangling.ts'
import type { troubleshoot } from '../../src/features/domains/live/troubleshoot.ts'
import type { listNotifications } from '../../src/features/domains/notifications/notifications.ts'
import type { KeyView, NewKey } from '../../src/features/keys/keys.ts'
import type { NewToken, TokenView } from '../../src/features/keys/tokens/tokens.ts'
import type { NewOrder, Order, OrderPatch } from '../../src/features/orders/contract.ts'
import type { NewPet, Pet, PetPatch } from '../../src/features/pets/contract.ts'
import type { answerRequest, readConsent } from '../../src/features/sandbox/provider.ts'
import type { SentImport, SentRows } from '../../src/features/pets/import/sent-rows.ts'
import type { FailedRequest, RequestsView } from '../../src/features/requests/requests.ts'
import type { addFault, addRecord, listSandbox } from '../../src/features/sandbox/sandbox.ts'
import type { ForwardBody, NewListenerBody } from '../../src/platform-api/routes/webhooks/listeners.ts'
import type * as endpoints from '../../src/platform-api/routes/webhooks/endpoints.ts'
import type { fetchMessages, openListener } from '../../src/features/webhooks/listen.ts'
import type * as webhooks from '../../src/features/webhooks/webhooks.ts'
import type { CertificateAttemptView } from '../../src/platform-api/views/certificate-attempt.ts'
import type { IssuanceBudgetView } from '../../src/platform-api/views/issuance-budget.ts'
import type { RemovedDomainView } from '../../src/platform-api/views/removed-domain.ts'
import { type DashboardRouteNeeds, dashboardRoutes } from '../../src/platform-api/route-table.ts'
import type { ConnectReturn } from '../../src/platform-api/routes/domains/connect.ts'
import type { ApplyAnswerBody, ApplyRequestBody } from '../../src/platform-api/routes/domains/sandbox-provider.ts'
import type { InstallationView } from '../../src/platform-api/routes/installation.ts'
import type { Named } from '../../src/platform-api/member-keys.ts'
import type { KeyRotation, NewKeyBody } from '../../src/platform-api/routes/keys.ts'
import type { NewInvitation, RoleChange } from '../../src/platform-api/routes/members.ts'
import type { ReadUpTo } from '../../src/platform-api/routes/notifications.ts'
import type { AccountInvitation, PlanChange } from '../../src/platform-api/routes/operator.ts'
import type { PlatformCertificateView } from '../../src/platform-api/routes/operator/health.ts'
import type { NewSuspension } from '../../src/features/projects/suspensions.ts'
import type { OverviewView } from '../../src/platform-api/routes/overview.ts'
import type {
  NewProject,
  ProjectDeletion,
  ProjectPatch,
  ProjectView,
  shown,
} from '../../src/platform-api/routes/projects.ts'
import type { NewFault, NewRecord, NewZone } from '../../src/platform-api/routes/sandbox.ts'
import type * as factors from '../../src/platform-api/routes/second-factors.ts'
import type * as session from '../../src/platform-api/routes/session.ts'
import type { ShareView } from '../../src/platform-api/views/share.ts'
import type { NewTokenBody, TokenInUse } from '../../src/platform-api/routes/tokens.ts'
import type { UsageView } from '../../src/platform-api/routes/usage.ts'
import type { Static } from '../../src/platform/schema.ts'
import type { BoundedCount } from '../../src/platform/storage/bounded-count.ts'
import type { readBacklog } from '../../src/platform/work/backlog.ts'
import type { listInstances } from '../../src/platform/work/presence.ts'

type Returned<Verb extends (...given: never[]) => unknown> = Awaited<ReturnType<Verb>>
type Store<Path extends string> = `/projects/{project}/environments/{environment}${Path}`
type Hooks<Path extends string> = `/projects/{project}/webhooks${Path}`
type Listeners<Path extends string> = `/projects/{project}/listeners${Path}`
type At<Path extends string> = `/projects/{project}/domains/{hostname}${Path}`

type SignInAnswer = { account: Account; secondStep: null } | { account: null; secondStep: SecondStep }

interface SignedIn {
  account: Account
}

/** What the service's own verbs return and its schemas accept. */
type Service = {
  'GET /session': { answer: { account: Account | null; signup: 'invite' | 'open'; mail: boolean } }
  'POST /sign-in': {
    body: Static<typeof session.SignIn>
    answer: SignInAnswer
  }
  'POST /sign-in/second-step': { body: Static<typeof factors.SecondStepProof>; answer: SignedIn }
  'POST /sign-in/passkey/options': { body: {} }
  'POST /sign-in/passkey': { body: Static<typeof factors.PasskeySignIn>; answer: SignedIn }
  'GET /account/second-factors': { answer: Returned<typeof listFactors> }
  'POST /account/second-factors/codes': {
    body: Static<typeof factors.CurrentPassword>
    answer: Returned<typeof beginCodes>
  }
  'POST /account/second-factors/codes/confirm': {
    body: Static<typeof factors.NewCodes>
    answer: Returned<typeof confirmCodes>
  }
  'POST /account/second-factors/passkey': { body: Static<typeof factors.CurrentPassword> }
  'POST /account/second-factors/passkey/confirm': {
    body: Static<typeof factors.NewPasskey>
    answer: Returned<typeof confirmPasskey>
  }
  'POST /account/second-factors/{factor}/remove': { body: Static<typeof factors.CurrentPassword> }
  'POST /account/recovery-codes': { body: Static<typeof factors.CurrentPassword> }
  'POST /sign-up': { body: Static<typeof session.SignUp>; answer: SignedIn }
  'POST /links/inspect': { body: Static<typeof session.LinkToken>; answer: Returned<typeof inspectLink> }
  'POST /invitations/accept': { body: Static<typeof session.LinkToken> }
  'POST /password': { body: Static<typeof session.PasswordChange>; answer: SignedIn }
  'POST /password/reset': { body: Static<typeof session.PasswordReset>; answer: SignInAnswer }
  'POST /password/forgot': { body: Static<typeof session.ForgottenPassword> }
  'PATCH /account': { body: Static<typeof session.AccountPatch>; answer: SignedIn }
  'POST /account/email': { body: Static<typeof session.NewAddress>; answer: Returned<typeof changeAddress> }
  'POST /account/email/confirmation': { answer: Returned<typeof askForConfirmation> }
  'POST /account/email/confirm': { body: Static<typeof session.LinkToken>; answer: Returned<typeof confirmAddress> }
  'GET /account/audit': { answer: AuditEntry[] }
  'GET /sessions': { answer: Returned<typeof listSessions> }
  'POST /sessions/end-others': { answer: Returned<typeof endOtherSessions> }
  'GET /installation': { answer: InstallationView }
  'GET /projects': { answer: ProjectView[] }
  'POST /projects': { body: Static<typeof NewProject>; answer: ProjectView }
  'GET /projects/{project}': { answer: ProjectView }
  'PATCH /projects/{project}': { body: Static<typeof ProjectPatch>; answer: ProjectView }
  'DELETE /projects/{project}': { body: Static<typeof ProjectDeletion> }
  'GET /projects/{project}/overview': { answer: OverviewView }
  'GET /projects/{project}/usage': { answer: UsageView }
  'GET /projects/{project}/requests': { answer: RequestsView }
  'GET /projects/{project}/traffic': { answer: RequestsView }
  'GET /projects/{project}/failed-requests': { answer: FailedRequest[] }
  'GET /projects/{project}/shares': { answer: ShareView[] }
  'GET /projects/{project}/audit': { answer: AuditEntry[] }
  'GET /projects/{project}/notifications': { answer: Returned<typeof listNotifications> }
  'POST /projects/{project}/notifications/read': { body: Static<typeof ReadUpTo> }
  'GET /projects/{project}/members': { answer: Returned<typeof listMembers> }
  'PATCH /projects/{project}/members/{account}': { body: Static<typeof RoleChange> }
  'GET /projects/{project}/invitations': { answer: Returned<typeof listInvitations> }
  'GET /invitations/{invitation}/mail': { answer: Returned<typeof invitationMail> }
  'POST /projects/{project}/invitations': { body: Static<typeof NewInvitation>; answer: Returned<typeof invite> }
  'GET /projects/{project}/keys': { answer: Named<KeyView>[] }
  'GET /token': { answer: TokenInUse }
  'GET /projects/{project}/tokens': { answer: Named<TokenView>[] }
  'POST /projects/{project}/tokens': { body: Static<typeof NewTokenBody>; answer: Named<NewToken> }
  'DELETE /projects/{project}/tokens/{token}': { answer: Named<TokenView> }
  'POST /projects/{project}/keys': { body: Static<typeof NewKeyBody>; answer: Named<NewKey> }
  'POST /projects/{project}/keys/{key}/rotate': {
    body: Static<typeof KeyRotation>
    answer: Named<NewKey>
  }
  'DELETE /projects/{project}/keys/{key}': { answer: Named<KeyView> }
  'GET /projects/{project}/deploys': { answer: DeployView[] }
  'GET /projects/{project}/deploys/{deploy}': { answer: DeployView }
  'POST /projects/{project}/deploys': { body: { files: PlannedFile[] }; answer: DeployAnswer<DeployOutcome> }
  'POST /projects/{project}/deploys/{deploy}/activate': { answer: DeployView }
  'DELETE /projects/{project}/deploys/{deploy}': { answer: void }
  'GET /projects/{project}/domains': {
    answer: Returned<typeof domains.listDomains> & { domains: Returned<typeof domains.listDomainViews> }
  }
  'POST /projects/{project}/domains': { body: AddDomain; answer: Returned<typeof domains.addDomain> }
  'GET /projects/{project}/removed-domains': { answer: RemovedDomainView[] }
  'GET /sandbox/zones': { answer: Returned<typeof listSandbox> }
  'POST /sandbox/zones': { body: Static<typeof NewZone> }
  'POST /sandbox/zones/{apex}/records': { body: Static<typeof NewRecord>; answer: Returned<typeof addRecord> }
  'POST /sandbox/zones/{apex}/faults': { body: Static<typeof NewFault>; answer: Returned<typeof addFault> }
  'POST /sandbox/domain-connect/consent': {
    body: Static<typeof ApplyRequestBody>
    answer: Returned<typeof readConsent>
  }
  'POST /sandbox/domain-connect/apply': {
    body: Static<typeof ApplyAnswerBody>
    answer: Returned<typeof answerRequest>
  }
  'GET /operator/projects': { answer: ReturnType<typeof shown>[] }
  'PUT /operator/projects/{slug}/plan': { body: Static<typeof PlanChange>; answer: ReturnType<typeof shown> }
  'PUT /operator/projects/{slug}/suspension': {
    body: Static<typeof NewSuspension>
    answer: ReturnType<typeof shown>
  }
  'DELETE /operator/projects/{slug}/suspension': { answer: ReturnType<typeof shown> }
  'GET /operator/accounts': { answer: Returned<typeof listAccounts> }
  'GET /operator/instances': { answer: Returned<typeof listInstances> }
  'GET /operator/work': { answer: Returned<typeof readBacklog> }
  'GET /operator/certificates': { answer: PlatformCertificateView[] }
  'POST /operator/invitations': {
    body: Static<typeof AccountInvitation>
    answer: Omit<Returned<typeof invite>, 'role'>
  }
} & Record<`GET ${Hooks<''>}`, { answer: Returned<typeof webhooks.listEndpoints> }> &
  Record<
    `POST ${Hooks<''>}`,
    { body: Static<typeof endpoints.NewWebhookBody>; answer: Returned<typeof webhooks.createEndpoint> }
  > &
  Record<
    `PATCH ${Hooks<'/{webhook}'>}`,
    { body: Static<typeof endpoints.WebhookPatch>; answer: Returned<typeof webhooks.changeEndpoint> }
  > &
  Record<
    `POST ${Hooks<'/{webhook}/rotate'>}`,
    { body: Static<typeof endpoints.SecretRotation>; answer: Returned<typeof webhooks.rotateEndpointSecret> }
  > &
  Record<`POST ${Hooks<'/{webhook}/test'>}`, { answer: Returned<typeof webhooks.testEndpoint> }> &
  Record<`GET ${Hooks<'/{webhook}/messages'>}`, { answer: Returned<typeof webhooks.listDeliveries> }> &
  Record<`GET ${Hooks<'/{webhook}/messages/{message}'>}`, { answer: Returned<typeof webhooks.showMessage> }> &
  Record<`POST ${Hooks<'/{webhook}/messages/{message}/resend'>}`, { answer: Returned<typeof webhooks.resend> }> &
  Record<`POST ${Listeners<''>}`, { body: Static<typeof NewListenerBody>; answer: Returned<typeof openListener> }> &
  Record<`GET ${Listeners<'/{listener}/messages'>}`, { answer: Returned<typeof fetchMessages> }> &
  Record<`POST ${Listeners<'/{listener}/messages/{message}'>}`, { body: Static<typeof ForwardBody> }> &
  Record<`GET ${At<''>}`, { answer: Returned<typeof domains.showDomain> }> &
  Record<`DELETE ${At<''>}`, { answer: Returned<typeof domains.removeDomain> }> &
  Record<`POST ${At<'/verify'>}`, { answer: Returned<typeof domains.verifyDomain> }> &
  Record<`PUT ${At<'/primary'>}`, { answer: Returned<typeof domains.makePrimary> }> &
  Record<`PUT ${At<'/redirect'>}`, { body: SetRedirect; answer: Returned<typeof domains.redirectDomain> }> &
  Record<`PUT ${At<'/hsts'>}`, { body: SetHsts; answer: Returned<typeof domains.changeHsts> }> &
  Record<`GET ${At<'/evidence'>}`, { answer: Returned<typeof domains.domainEvidence> }> &
  Record<`GET ${At<'/budget'>}`, { answer: IssuanceBudgetView }> &
  Record<`GET ${At<'/attempts'>}`, { answer: CertificateAttemptView[] }> &
  Record<`POST ${At<'/live-check'>}`, { answer: Returned<typeof checkServed> }> &
  Record<`POST ${At<'/troubleshoot'>}`, { answer: Returned<typeof troubleshoot> }> &
  Record<`GET ${At<'/switch'>}`, { answer: Returned<typeof showSwitch> }> &
  Record<`POST ${At<'/switch/comparison'>}`, { answer: Returned<typeof compareSites> }> &
  Record<`POST ${At<'/switch/answers'>}`, { answer: Returned<typeof showSpread> }> &
  Record<`GET ${At<'/connect'>}`, { answer: Returned<typeof connect.connectOffer> }> &
  Record<`POST ${At<'/connect'>}`, { answer: Returned<typeof connect.beginConnect> }> &
  Record<
    `POST ${At<'/connect/return'>}`,
    { body: Static<typeof ConnectReturn>; answer: Returned<typeof connect.finishConnect> }
  > &
  Record<`GET ${At<'/dangling'>}`, { answer: Returned<typeof findDangling> }> &
  Record<`GET ${Store<'/pets'>}`, { answer: Static<typeof Pet>[] }> &
  Record<`POST ${Store<'/pets'>}`, { body: Static<typeof NewPet>; answer: Static<typeof Pet> }> &
  Record<`GET ${Store<'/pets/{petId}'>}`, { answer: Static<typeof Pet> }> &
  Record<`PATCH ${Store<'/pets/{petId}'>}`, { body: Static<typeof PetPatch>; answer: Static<typeof Pet> }> &
  Record<`GET ${Store<'/counts/pets' | '/counts/orders'>}`, { answer: BoundedCount }> &
  Record<`GET ${Store<'/imports/{sha256}'>}`, { answer: SentImport }> &
  Record<`POST ${Store<'/imports/{sha256}'>}`, { body: Static<typeof SentRows>; answer: SentImport }> &
  Record<`GET ${Store<'/store/orders'>}`, { answer: Static<typeof Order>[] }> &
  Record<`POST ${Store<'/store/orders'>}`, { body: Static<typeof NewOrder>; answer: Static<typeof Order> }> &
  Record<`GET ${Store<'/store/orders/{orderId}'>}`, { answer: Static<typeof Order> }> &
  Record<`PATCH ${Store<'/store/orders/{orderId}'>}`, { body: Static<typeof OrderPatch>; answer: Static<typeof Order> }>

type DeployAnswer<Outcome> = Outcome extends { kind: infer State }
  ? Omit<Outcome, 'kind'> &
      (Outcome extends { deploy: unknown } ? { preview: string | null; warning: string | null } : unknown) & {
        state: State
        url: string
      }
  : never

/** The routes where the service's answer does not fit the client's type, or the client's body the service's schema. */
type Wrong = {
  [Name in keyof Service]: Name extends keyof Routes ? Judged<Service[Name], Routes[Name], Name> : Name
}[keyof Service]

type Judged<Served, Known, Name> = [AnswerOf<Served>, BodyOf<Known>] extends [AnswerOf<Known>, BodyOf<Served>]
  ? never
  : Name
type AnswerOf<Route> = Route extends { answer: infer Answer } ? Answer : never
type BodyOf<Route> = Route extends { body: infer Body } ? Body : never

test('the client has the types of the service', () => {
  // It is the compiler that judges: a route that fits no longer is named in what it says of the next lines.
  const wrong: Wrong[] = []
  assert.deepEqual(wrong satisfies never[], [])
})

test('the client knows every route of the service, and no other', () => {
  const folder = new URL('../../client/src/platform/routes/', import.meta.url)
  const source = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'))
  const known = [...source.join('').matchAll(/^ {2}'([A-Z]+ \/[^']+)'/gm)].map(([, name]) => name)
  const served = dashboardRoutes({} as DashboardRouteNeeds).map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(known.toSorted(), served.toSorted())
})
