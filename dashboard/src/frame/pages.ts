import { type Early, latePage } from '../parts/late-page.ts'

export const ProjectsPage = latePage(() => import('../features/projects/projects-page.tsx'))
export const AccountPage = latePage(() => import('../features/accounts/account-page.tsx'))
export const SandboxConnectPage = latePage(() => import('../features/sandbox/connect-page.tsx'))
export const SandboxPage = latePage(() => import('../features/sandbox/sandbox-page.tsx'))
export const OperatorPage = latePage(() => import('../features/operator/operator-page.tsx'))

export const OverviewPage = latePage(() => import('../features/projects/overview-page.tsx'))
export const PetsPage = latePage(() => import('../features/pets/pets-page.tsx'))
export const OrdersPage = latePage(() => import('../features/orders/orders-page.tsx'))
export const KeysPage = latePage(() => import('../features/keys/keys-page.tsx'))
export const RequestsPage = latePage(() => import('../features/requests/requests-page.tsx'))
export const DeploysPage = latePage(() => import('../features/deploys/deploys-page.tsx'))
export const WebhooksPage = latePage(() => import('../features/webhooks/webhooks-page.tsx'))
export const WebhookPage = latePage(() => import('../features/webhooks/webhook-page.tsx'))
export const DomainPage = latePage(() => import('../features/domains/domain-page.tsx'))
export const SettingsPages = latePage(() => import('../features/settings/settings-pages.tsx'))

/** Where each stands, for whoever opens it first: the routes are in code that comes at the same time. */
const PLACES: readonly (readonly [RegExp, Early])[] = [
  [/^\/projects$/, ProjectsPage],
  [/^\/(?:projects\/[^/]+)?$/, OverviewPage],
  [/\/animals$/, PetsPage],
  [/\/orders$/, OrdersPage],
  [/\/keys$/, KeysPage],
  [/\/requests$/, RequestsPage],
  [/\/deploys$/, DeploysPage],
  [/\/webhooks$/, WebhooksPage],
  [/\/webhooks\//, WebhookPage],
  [/\/settings\/domains\//, DomainPage],
  [/\/settings(?:$|\/)/, SettingsPages],
  [/^\/account/, AccountPage],
  [/^\/operator/, OperatorPage],
  [/^\/sandbox(?!\/connect\/)/, SandboxPage],
]

export function pageAt(path: string): Early | undefined {
  return PLACES.find(([place]) => place.test(path))?.[1]
}
