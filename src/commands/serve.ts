import { flushCompileCache } from 'node:module'
import { readConfig } from '../config.ts'
import { ensureDashboard } from '../pages/dashboard-build.ts'
import { startPetstore } from '../main.ts'
import { findFirstSlug } from '../features/projects/queries.ts'
import { createLog } from '../platform/log.ts'
import { defineCommand } from './line/command.ts'
import { greeting } from './line/greeting.ts'
import { listenForStop } from './line/stop-signals.ts'

/** After a failure of the storage: enough to tell those who wait, and nothing is worth more time. */
const FAILED_STOP_MAX_MS = 3000

export const command = defineCommand({
  about: `Runs the service until SIGTERM or Ctrl-C, then lets the requests in flight finish; a second signal ends it
at once. Logs go to standard error.`,
  arguments: [],
  options: {},
  examples: [
    'petstore serve',
    'PETSTORE_DATA=/var/lib/petstore petstore serve',
    'DATABASE_URL=postgres://petstore@db.example.com/petstore petstore serve',
  ],
  async run({ terminal, clock }) {
    const stop = listenForStop(clock)
    const config = readConfig()
    const log = createLog(config.logLevel)
    const petstore = await startPetstore(config, clock, log)
    const { storage, firstKeys, ownerLink } = petstore
    const project = await findFirstSlug(storage.read)
    terminal.print(greeting(config, { firstKeys, ownerLink, project }))
    // At the end it would be written too, but a service that is killed has none; the next start takes half the time.
    flushCompileCache()
    // Afterwards: the first build takes seconds, and the interface need not wait for it.
    const building = new AbortController()
    const built = ensureDashboard(terminal, building.signal).then((outcome) => {
      if (outcome.kind === 'built') petstore.dashboardPages.reload()
      if (outcome.kind !== 'failed') return
      log.error({ output: outcome.output }, 'the dashboard could not be built; everything else is served')
      petstore.dashboardPages.buildFailed(outcome.reason)
    })

    let hasFailed = false
    const failed = petstore.failed.then((error) => {
      hasFailed = true
      log.fatal({ err: error }, 'stopping: nothing can be stored any more; start the service again')
      setTimeout(() => process.exit(1), FAILED_STOP_MAX_MS).unref()
    })
    const signal = await Promise.race([stop.asked, failed])
    if (signal) log.info({ signal }, 'stopping: requests in flight are finished first')
    building.abort()
    await Promise.all([petstore[Symbol.asyncDispose](), built])
    stop.done()
    return hasFailed ? 1 : 0
  },
})
