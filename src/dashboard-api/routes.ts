import { auditRoutes } from './rooms/audit.ts'
import { certificateAttemptRoutes } from './rooms/certificate-attempts.ts'
import { deployRoutes, type DeploysRoomParts } from './rooms/deploys.ts'
import { domainRoutes, type DomainsRoomParts } from './rooms/domains.ts'
import { installationRoutes, type InstallationRoomParts } from './rooms/installation.ts'
import { issuanceBudgetRoutes, type IssuanceBudgetRoomParts } from './rooms/issuance-budget.ts'
import { keyRoutes } from './rooms/keys.ts'
import { memberRoutes } from './rooms/members.ts'
import { newestAnimalsRoutes } from './rooms/newest-animals.ts'
import { notificationRoutes, type NotificationsRoomParts } from './rooms/notifications.ts'
import { operatorRoutes, type OperatorRoomParts } from './rooms/operator.ts'
import { overviewRoutes, type OverviewRoomParts } from './rooms/overview.ts'
import { projectRoutes, type ProjectsRoomParts } from './rooms/projects.ts'
import { removedDomainRoutes } from './rooms/removed-domains.ts'
import { sandboxRoutes, type SandboxRoomParts } from './rooms/sandbox.ts'
import { sessionRoutes, type SessionRoomParts } from './rooms/session.ts'
import { storeRoutes, type StoreRoomParts } from './rooms/store.ts'
import { usageRoutes, type UsageRoomParts } from './rooms/usage.ts'
import type { DashboardRoute } from './route.ts'

export type DashboardParts = SessionRoomParts &
  ProjectsRoomParts &
  StoreRoomParts &
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
