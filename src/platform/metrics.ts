import type { Counter, Gauge, MetricObjectWithValues, MetricValue, Registry } from 'prom-client'
import { ERROR_CODES, type ErrorCode } from './errors.ts'
import { RequestDurations } from './request-durations.ts'
import { makeOnce } from './single-flight.ts'

/** Names follow OpenTelemetry, with dots as underscores and the unit at the end. */
export interface Metrics {
  readonly requestDurations: RequestDurations
  countFailure(code: ErrorCode): void
  gauge(name: string, help: string, read: () => number): void
  /** Of what only grows: it is kept when the worker that counted dies. */
  counter(name: string, help: string, read: () => number): void
  /** Everything as Prometheus text. */
  text(): Promise<{ contentType: string; body: string }>
  /** Everything as values that can be added up. */
  values(): Promise<MetricValues>
}

export type MetricValues = MetricObjectWithValues<MetricValue<string>>[]

/**
 * Counting starts at once; prom-client, which has the format and the process's own figures, is loaded when
 * `text` is first asked for: it would take 0.1 s of every start.
 */
export function createMetrics(): Metrics {
  const requestDurations = new RequestDurations()
  // Each is there from the start: a counter whose first value is 1 has not grown, for whoever watches its rate.
  const failures = new Map(ERROR_CODES.map((code) => [code, 0]))
  const readings: { kind: 'Counter' | 'Gauge'; name: string; help: string; read: () => number }[] = []
  const openedRegistry = makeOnce(openRegistry)

  return {
    requestDurations,
    countFailure: (code) => void failures.set(code, (failures.get(code) ?? 0) + 1),
    gauge: (name, help, read) => void readings.push({ kind: 'Gauge', name, help, read }),
    counter: (name, help, read) => void readings.push({ kind: 'Counter', name, help, read }),
    async text() {
      const opened = await filledRegistry()
      return { contentType: opened.contentType, body: await opened.metrics() }
    },
    async values() {
      return (await filledRegistry()).getMetricsAsJSON()
    },
  }

  /** With what was added since the last time: whoever asks while the service is being built gets what there is. */
  async function filledRegistry(): Promise<Registry> {
    const { Counter, Gauge } = await import('prom-client')
    const kinds = { Counter, Gauge }
    const opened = await openedRegistry()
    for (const { kind, name, help, read } of readings.splice(0)) {
      const reading: Counter | Gauge = new kinds[kind]({
        name,
        help,
        registers: [],
        collect() {
          reading.reset()
          reading.inc(read())
        },
      })
      opened.registerMetric(reading)
    }
    return opened
  }

  async function openRegistry(): Promise<Registry> {
    const { collectDefaultMetrics, Counter, Registry: OpenRegistry } = await import('prom-client')
    const opened = new OpenRegistry()
    collectDefaultMetrics({ register: opened })
    requestDurations.register(opened)
    const counter = new Counter({
      name: 'petstore_failures_total',
      help: 'Requests that ended with an error code.',
      labelNames: ['code'],
      registers: [],
      collect() {
        this.reset()
        for (const [code, count] of failures) this.inc({ code }, count)
      },
    })
    opened.registerMetric(counter)
    return opened
  }
}
