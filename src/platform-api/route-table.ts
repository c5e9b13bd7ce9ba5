import { auditRoutes } from './routes/audit.ts'
import { certificateAttemptRoutes, issuanceBudgetRoutes, type IssuanceBudgetRouteNeeds } from './routes/certificates.ts'
import { deployRoutes, type DeploysRouteNeeds } from './routes/deploys.ts'
import { connectRoutes, type ConnectRouteNeeds } from './routes/domains/connect.ts'
import { switchRoutes, type SwitchRouteNeeds } from './routes/domains/switch.ts'
import { sandboxProviderRoutes, type SandboxProviderRouteNeeds } from './routes/domains/sandbox-provider.ts'
import { domainRoutes, type DomainsRouteNeeds } from './routes/domains.ts'
import { installationRoutes, type InstallationRouteNeeds } from './routes/installation.ts'
import { keyRoutes } from './routes/keys.ts'
import { memberRoutes } from './routes/members.ts'
import { notificationRoutes, type NotificationsRouteNeeds } from './routes/notifications.ts'
import { operatorRoutes, type OperatorRouteNeeds } from './routes/operator.ts'
import { healthRoutes, type HealthRouteNeeds } from './routes/operator/health.ts'
import { platformNameRoutes, type PlatformNamesRouteNeeds } from './routes/operator/platform-names.ts'
import { suspensionRoutes, type SuspensionRouteNeeds } from './routes/operator/suspensions.ts'
import { overviewRoutes, type OverviewRouteNeeds } from './routes/overview.ts'
import { requestRoutes, type RequestsRouteNeeds } from './routes/project/requests.ts'
import { projectRoutes, type ProjectsRouteNeeds } from './routes/projects.ts'
import { removedDomainRoutes } from './routes/removed-domains.ts'
import { sandboxRoutes, type SandboxRouteNeeds } from './routes/sandbox.ts'
import { secondFactorRoutes } from './routes/second-factors.ts'
import { sessionRoutes, type SessionRouteNeeds } from './routes/session.ts'
import { sharesRoutes, type SharesRouteNeeds } from './routes/shares.ts'
import { storeRoutes, type StoreNeeds } from './routes/store.ts'
import { countRoutes } from './routes/store/counts.ts'
import { importRoutes } from './routes/store/imports.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { usageRoutes, type UsageRouteNeeds } from './routes/usage.ts'
import { eventRoutes, type EventsRouteNeeds } from './routes/events/events.ts'
import { webhookMessageRoutes } from './routes/webhooks/deliveries.ts'
import { webhookRoutes, type WebhooksRouteNeeds } from './routes/webhooks/endpoints.ts'
import { listenerRoutes, type ListenersRouteNeeds } from './routes/webhooks/listeners.ts'
import type { DashboardRoute } from './route.ts'

export type DashboardRouteNeeds = SessionRouteNeeds &
  ProjectsRouteNeeds &
  StoreNeeds &
  UsageRouteNeeds &
  RequestsRouteNeeds &
  OverviewRouteNeeds &
  OperatorRouteNeeds &
  SuspensionRouteNeeds &
  HealthRouteNeeds &
  PlatformNamesRouteNeeds &
  DeploysRouteNeeds &
  DomainsRouteNeeds &
  ConnectRouteNeeds &
  SwitchRouteNeeds &
  SandboxProviderRouteNeeds &
  SandboxRouteNeeds &
  IssuanceBudgetRouteNeeds &
  NotificationsRouteNeeds &
  InstallationRouteNeeds &
  WebhooksRouteNeeds &
  ListenersRouteNeeds &
  EventsRouteNeeds &
  SharesRouteNeeds

/** The whole management interface: every room adds its rows here. */
export function dashboardRoutes(needs: DashboardRouteNeeds): DashboardRoute[] {
  return [
    ...sessionRoutes(needs),
    ...secondFactorRoutes(needs),
    ...installationRoutes(needs),
    ...projectRoutes(needs),
    ...memberRoutes(needs),
    ...keyRoutes(needs),
    ...tokenRoutes(needs),
    ...webhookRoutes(needs),
    ...webhookMessageRoutes(needs),
    ...listenerRoutes(needs),
    ...eventRoutes(needs),
    ...deployRoutes(needs),
    ...domainRoutes(needs),
    ...connectRoutes(needs),
    ...switchRoutes(needs),
    ...removedDomainRoutes(needs),
    ...certificateAttemptRoutes(),
    ...issuanceBudgetRoutes(needs),
    ...notificationRoutes(needs),
    ...sandboxRoutes(needs),
    ...sandboxProviderRoutes(needs),
    ...storeRoutes(needs),
    ...countRoutes(),
    ...importRoutes(needs),
    ...usageRoutes(needs),
    ...requestRoutes(needs),
    ...sharesRoutes(needs),
    ...overviewRoutes(needs),
    ...auditRoutes(needs),
    ...operatorRoutes(needs),
    ...suspensionRoutes(needs),
    ...healthRoutes(needs),
    ...platformNameRoutes(needs),
  ]
}
