import { flushCompileCache } from 'node:module'
import { readConfig } from '../config.ts'
import { buildFolders, ensureDashboard } from '../pages/dashboard-build.ts'
import { createLog } from '../platform/log.ts'
import { defineCommand } from '../../cli/src/line/command.ts'
import { unknownSettings } from './line/unknown-settings.ts'
import { listenForStop } from '../../cli/src/line/stop-signals.ts'

/** After a failure of the storage: enough to tell those who wait, and nothing is worth more time. */
const FAILED_STOP_MAX_MS = 3000

export const command = defineCommand({
  about: `Runs the service until SIGTERM or Ctrl-C, then lets the requests in flight finish. A third signal, or a
second after three seconds, ends it at once. Logs go to standard error. PETSTORE_WORKERS says how many threads serve.`,
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
    for (const sentence of unknownSettings(config.unknownNames)) log.warn(sentence)
    // Each loaded where it is used: a thread that only watches others has no use for the service itself.
    const service =
      config.workers === 1
        ? await (await import('./serve/alone.ts')).serveAlone(config, clock, log)
        : await (await import('./serve/several.ts')).serveWithWorkers({ config, clock, log })
    terminal.print(service.greeting)
    // At the end it would be written too, but a service that is killed has none; the next start takes half the time.
    flushCompileCache()
    // Afterwards: the first build takes seconds, and the interface need not wait for it.
    const building = new AbortController()
    const built = ensureDashboard(terminal, buildFolders(config.dataDirectory), building.signal).then((outcome) => {
      service.dashboardBuilt(outcome)
      if (outcome.kind !== 'failed') return
      log.error({ output: outcome.output }, 'the dashboard could not be built; everything else is served')
    })

    let hasFailed = false
    const failed = service.failed.then((error) => {
      hasFailed = true
      log.fatal({ err: error }, 'stopping: nothing can be stored any more; start the service again')
      setTimeout(() => process.exit(1), FAILED_STOP_MAX_MS).unref()
    })
    const signal = await Promise.race([stop.asked, failed])
    if (signal) log.info({ signal }, 'stopping: requests in flight are finished first')
    building.abort()
    const [outcome] = await Promise.all([service.stop(), built])
    stop.done()
    return hasFailed || outcome === 'with failures' ? 1 : 0
  },
})
