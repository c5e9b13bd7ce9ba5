import { type Role, suffices } from '../features/accounts/role.ts'
import type { TokenScope } from '../features/keys/tokens/scopes.ts'
import type { Bearer } from '../features/keys/tokens/tokens.ts'
import { PetstoreError } from '../platform/errors.ts'

/** What a token of any scope may ask: what it is itself, and where it is. */
export const FOR_ANY_TOKEN: ReadonlySet<string> = new Set(['getToken', 'getInstallation'])

export const forPeople = () =>
  new PetstoreError('forbidden', 'No token can do this: it is for people who are signed in.')

/** What a member is when a token asks: one that was handed over does no more than whoever gave it away could. */
export function roleOf(role: Role, bearer: Pick<Bearer, 'roleMax'> | undefined): Role {
  const most = bearer?.roleMax ?? role
  return suffices(role, most) ? most : role
}

/**
 * What a token needs for each route of a project. A route that is not here is for people who are signed in:
 * who belongs to a project, its end, its other tokens, and what each of them has read.
 */
export const SCOPE_OF_ROUTE: Readonly<Record<string, TokenScope>> = {
  listProjects: 'project:read',
  getProject: 'project:read',
  updateProject: 'project:write',
  getOverview: 'project:read',
  getShares: 'project:read',
  getUsage: 'project:read',
  getRequests: 'project:read',
  getTraffic: 'project:read',
  listFailedRequests: 'project:read',
  listNotifications: 'project:read',

  listDeploys: 'deploys:read',
  getDeploy: 'deploys:read',
  listDeployFiles: 'deploys:read',
  deployArchive: 'deploys:write',
  deployDirectory: 'deploys:write',
  sendBlob: 'deploys:write',
  deleteDeploy: 'deploys:write',
  activateDeploy: 'deploys:write',

  listDomains: 'domains:read',
  showDomain: 'domains:read',
  domainEvidence: 'domains:read',
  listCertificateAttempts: 'domains:read',
  getIssuanceBudget: 'domains:read',
  listRemovedDomains: 'domains:read',
  danglingDns: 'domains:read',
  getConnectOffer: 'domains:read',
  getSwitch: 'domains:read',
  addDomain: 'domains:write',
  prepareDomain: 'domains:write',
  verifyDomain: 'domains:write',
  makePrimary: 'domains:write',
  redirectDomain: 'domains:write',
  changeHsts: 'domains:write',
  removeDomain: 'domains:write',
  checkServed: 'domains:write',
  troubleshootDomain: 'domains:write',
  compareSites: 'domains:write',
  askResolvers: 'domains:write',

  listKeys: 'keys:read',
  createKey: 'keys:write',
  rotateKey: 'keys:write',
  revokeKey: 'keys:write',

  listWebhooks: 'webhooks:read',
  listWebhookMessages: 'webhooks:read',
  showWebhookMessage: 'webhooks:read',
  createWebhook: 'webhooks:write',
  changeWebhook: 'webhooks:write',
  removeWebhook: 'webhooks:write',
  rotateWebhook: 'webhooks:write',
  testWebhook: 'webhooks:write',
  resendWebhookMessage: 'webhooks:write',
  openListener: 'webhooks:write',
  fetchMessages: 'webhooks:write',
  forwardedMessage: 'webhooks:write',
  closeListener: 'webhooks:write',

  listPets: 'pets:read',
  getPet: 'pets:read',
  countPets: 'pets:read',
  getImport: 'pets:read',
  importPets: 'pets:write',
  createPet: 'pets:write',
  updatePet: 'pets:write',
  deletePet: 'pets:write',
  listOrders: 'orders:read',
  getOrder: 'orders:read',
  countOrders: 'orders:read',
  createOrder: 'orders:write',
  updateOrder: 'orders:write',

  listMembers: 'members:read',
  listAudit: 'audit:read',
}
