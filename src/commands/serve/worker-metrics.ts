import type { Registry } from 'prom-client'
import type { MetricValues } from '../../platform/metrics.ts'
import { makeOnce, SingleFlight } from '../../platform/single-flight.ts'
import type { WorkerThread } from './worker-thread.ts'
import type { Workers } from './workers.ts'

/** One set of figures for all workers: counts and durations add up, also those of workers that have died since. */
export class WorkerMetrics {
  readonly #workers: Pick<Workers, 'serving' | 'replaced'>
  readonly #last = new Map<WorkerThread, MetricValues>()
  /** What the dead had counted when they were last asked: a counter that falls would look like a new start. */
  #ended: MetricValues = []
  readonly #scrapes = new SingleFlight<{ contentType: string; body: string }>()
  readonly #own = makeOnce(() => this.#openOwn())

  constructor(workers: Pick<Workers, 'serving' | 'replaced'>) {
    this.#workers = workers
  }

  /** Everything as Prometheus text; one scrape at a time, as each takes over what the dead have counted. */
  text(): Promise<{ contentType: string; body: string }> {
    return this.#scrapes.join('all', () => this.#scrape())
  }

  async #scrape(): Promise<{ contentType: string; body: string }> {
    const { AggregatorRegistry } = await import('prom-client')
    const ask = async (thread: WorkerThread) => void this.#last.set(thread, await thread.ask('metrics'))
    // One that has just died, or has no time, is told with what it said last.
    await Promise.allSettled(this.#workers.serving.map(ask))
    const dead = [...this.#last.keys()].filter((thread) => !thread.isServing)
    const counted = dead.map((thread) => (this.#last.get(thread) as MetricValues).filter(isCount))
    if (dead.length > 0) this.#ended = await AggregatorRegistry.aggregate([this.#ended, ...counted]).getMetricsAsJSON()
    for (const thread of dead) this.#last.delete(thread)

    const own = await this.#own()
    const ofWorkers = AggregatorRegistry.aggregate([...this.#last.values(), this.#ended])
    return { contentType: own.contentType, body: `${await own.metrics()}\n${await ofWorkers.metrics()}` }
  }

  /** Of the process as a whole. */
  async #openOwn(): Promise<Registry> {
    const { collectDefaultMetrics, Counter, Gauge, Registry: OpenRegistry } = await import('prom-client')
    const workers = this.#workers
    const own = new OpenRegistry()
    collectDefaultMetrics({ register: own })
    for (const { name } of own.getMetricsAsArray()) if (name.startsWith('nodejs_')) own.removeSingleMetric(name)
    const serving = new Gauge({
      name: 'petstore_workers',
      help: 'Workers that serve.',
      registers: [],
      collect() {
        this.set(workers.serving.length)
      },
    })
    const replaced = new Counter({
      name: 'petstore_workers_replaced_total',
      help: 'Workers that died and were replaced.',
      registers: [],
      collect() {
        this.reset()
        this.inc(workers.replaced)
      },
    })
    own.registerMetric(serving)
    own.registerMetric(replaced)
    return own
  }
}

const isCount = ({ type }: { type: unknown }) => type === 'counter' || type === 'histogram'
