import type { AccountRoutes } from './routes/accounts.ts'
import type { AnimalRoutes } from './routes/animals.ts'
import type { DeployRoutes } from './routes/deploys.ts'
import type { DomainRoutes } from './routes/domains.ts'
import type { OperatorRoutes } from './routes/operator.ts'
import type { ProjectRoutes } from './routes/projects.ts'
import type { SandboxRoutes } from './routes/sandbox.ts'
import type { WebhookRoutes } from './routes/webhooks.ts'

/**
 * Every request of the management interface: what it takes and what it answers. A test holds it against the
 * service's own route table and types.
 */
export interface Routes
  extends
    AccountRoutes,
    ProjectRoutes,
    WebhookRoutes,
    DeployRoutes,
    DomainRoutes,
    AnimalRoutes,
    SandboxRoutes,
    OperatorRoutes {}
