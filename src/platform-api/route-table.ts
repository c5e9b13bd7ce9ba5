import { auditRoutes } from './routes/audit.ts'
import { certificateAttemptRoutes } from './routes/certificate-attempts.ts'
import { deployRoutes, type DeploysRoomParts } from './routes/deploys.ts'
import { domainRoutes, type DomainsRoomParts } from './routes/domains.ts'
import { installationRoutes, type InstallationRoomParts } from './routes/installation.ts'
import { issuanceBudgetRoutes, type IssuanceBudgetRoomParts } from './routes/issuance-budget.ts'
import { keyRoutes } from './routes/keys.ts'
import { memberRoutes } from './routes/members.ts'
import { newestAnimalsRoutes } from './routes/newest-animals.ts'
import { notificationRoutes, type NotificationsRoomParts } from './routes/notifications.ts'
import { operatorRoutes, type OperatorRoomParts } from './routes/operator.ts'
import { overviewRoutes, type OverviewRoomParts } from './routes/overview.ts'
import { projectRoutes, type ProjectsRoomParts } from './routes/projects.ts'
import { removedDomainRoutes } from './routes/removed-domains.ts'
import { sandboxRoutes, type SandboxRoomParts } from './routes/sandbox.ts'
import { sessionRoutes, type SessionRoomParts } from './routes/session.ts'
import { storeRoutes, type StoreNeeds } from './routes/store.ts'
import { usageRoutes, type UsageRoomParts } from './routes/usage.ts'
import type { DashboardRoute } from './route.ts'

export type DashboardParts = SessionRoomParts &
  ProjectsRoomParts &
  StoreNeeds &
  UsageRoomParts &
  OverviewRoomParts &
  OperatorRoomParts &
  DeploysRoomParts &
  DomainsRoomParts &
  SandboxRoomParts &
  IssuanceBudgetRoomParts &
  NotificationsRoomParts &
  InstallationRoomParts

/** The whole dashboard API: every room adds its rows here. */
export function dashboardRoutes(parts: DashboardParts): DashboardRoute[] {
  return [
    ...sessionRoutes(parts),
    ...installationRoutes(parts),
    ...projectRoutes(parts),
    ...memberRoutes(parts),
    ...keyRoutes(parts),
    ...deployRoutes(parts),
    ...domainRoutes(parts),
    ...removedDomainRoutes(parts),
    ...certificateAttemptRoutes(),
    ...issuanceBudgetRoutes(parts),
    ...notificationRoutes(parts),
    ...sandboxRoutes(parts),
    ...storeRoutes(parts),
    ...newestAnimalsRoutes(),
    ...usageRoutes(parts),
    ...overviewRoutes(parts),
    ...auditRoutes(parts),
    ...operatorRoutes(parts),
  ]
}
