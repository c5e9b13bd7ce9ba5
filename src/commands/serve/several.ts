import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { Config } from '../../config.ts'
import { requireFreePorts } from '../../edge/ports.ts'
import { startAdmin } from '../../pages/admin.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { WorkerData } from './messages.ts'
import type { Service } from './service.ts'
import { SharedWriter } from './shared-writer.ts'
import { WorkerMetrics } from './worker-metrics.ts'
import { Workers } from './workers.ts'

/** Of all workers to PostgreSQL, which allows 100 unless told otherwise. */
const CONNECTIONS_MAX = 32

interface SeveralNeeds {
  config: Config
  clock: Clock
  log: Log
  /** A thread that runs thread.js with this. */
  spawn?(workerData: WorkerData): Worker
}

/** The service in several threads, which this one starts, watches and stops. It has the admin port, for all of them. */
export async function serveWithWorkers({ config, clock, log, spawn = spawnWorker }: SeveralNeeds): Promise<Service> {
  await using building = new AsyncDisposableStack()
  shrinkYoungGenerations()
  const ticketSecret = randomBytes(32)
  const connectionsMax = Math.max(2, Math.floor(CONNECTIONS_MAX / config.workers))
  const writer = config.databaseUrl === undefined ? building.use(new SharedWriter()) : undefined
  const workers = new Workers({
    count: config.workers,
    spawn: (number) => spawn({ number, shared: { ticketSecret, connectionsMax, writer: writer?.connect() } }),
    clock,
    log,
  })
  const metrics = new WorkerMetrics(workers)
  building.use(await startAdmin({ config, metrics, ready: () => workers.ready() }))
  await requireFreePorts(config)
  building.defer(async () => void (await workers.stop()))
  const failed = writer?.failed ?? new Promise<never>(() => {})
  // A worker whose writer has ended knows no reason.
  const greeting = await Promise.race([workers.start(), failed.then((error) => Promise.reject(error))])

  const running = building.move()
  return {
    greeting,
    failed,
    dashboardBuilt: (outcome) => workers.tellAll({ kind: 'dashboard', outcome }),
    async stop() {
      const outcome = await workers.stop()
      await running.disposeAsync()
      return outcome
    },
  }
}

/** As `bin/petstore.js` sets it where nobody has said otherwise. */
const OF_ONE = '--max-semi-space-size=8'
const OF_SEVERAL = '--max-semi-space-size=4'

/**
 * For threads that are started from now on: V8 looks at this flag when it makes a heap. Otherwise two workers take more
 * than 1.6 times the memory of one. A get takes 4 to 9 % more of the processor for it.
 */
function shrinkYoungGenerations(): void {
  if (process.execArgv.includes(OF_ONE)) setFlagsFromString(OF_SEVERAL)
}

const spawnWorker = (workerData: WorkerData) => new Worker(THREAD, optionsFor(workerData))

export const THREAD = new URL('./thread.js', import.meta.url)

export function optionsFor(workerData: WorkerData): WorkerOptions {
  const { writer } = workerData.shared
  return { workerData, ...(writer && { transferList: [writer] }) }
}
