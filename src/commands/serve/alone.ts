import type { Config } from '../../config.ts'
import { requireFreePorts } from '../../edge/ports.ts'
import { findFirstSlug } from '../../features/projects/queries.ts'
import { type Petstore, startPetstore } from '../../main.ts'
import type { BuildOutcome } from '../../pages/dashboard-build.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { greeting } from '../line/greeting.ts'
import type { Service } from './service.ts'

/** The whole service in this thread. */
export async function serveAlone(config: Config, clock: Clock, log: Log): Promise<Service> {
  await requireFreePorts(config)
  const petstore = await startPetstore(config, clock, log)
  return {
    greeting: await greetingOf(petstore, config),
    failed: petstore.failed,
    dashboardBuilt: (outcome) => showDashboard(petstore, outcome),
    async stop() {
      await petstore[Symbol.asyncDispose]()
      return 'in order'
    },
  }
}

export async function greetingOf({ storage, firstKeys, ownerLink }: Petstore, config: Config): Promise<string> {
  return greeting(config, { firstKeys, ownerLink, project: await findFirstSlug(storage.read) })
}

export function showDashboard({ dashboardPages }: Petstore, outcome: BuildOutcome): void {
  if (outcome.kind === 'built') dashboardPages.reload()
  if (outcome.kind === 'failed') dashboardPages.buildFailed(outcome.reason)
}
