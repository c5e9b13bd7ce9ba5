import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'
import type { ErrorCode } from './errors.ts'
import { RequestDurations } from './request-durations.ts'

/** Names follow OpenTelemetry, with dots as underscores and the unit at the end. */
export interface Metrics {
  readonly requestDurations: RequestDurations
  countFailure(code: ErrorCode): void
  gauge(name: string, help: string, read: () => number): void
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
  const failures = new Map<ErrorCode, number>()
  const gauges: { name: string; help: string; read: () => number }[] = []
  let registry: Promise<Registry> | undefined

  return {
    requestDurations,
    countFailure: (code) => void failures.set(code, (failures.get(code) ?? 0) + 1),
    gauge: (name, help, read) => void gauges.push({ name, help, read }),
    async text() {
      registry ??= openRegistry()
      const opened = await registry
      return { contentType: opened.contentType, body: await opened.metrics() }
    },
    async values() {
      registry ??= openRegistry()
      return (await registry).getMetricsAsJSON()
    },
  }

  async function openRegistry(): Promise<Registry> {
    const { collectDefaultMetrics, Counter, Gauge, Registry: OpenRegistry } = await import('prom-client')
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
    for (const { name, help, read } of gauges) {
      opened.registerMetric(
        new Gauge({
          name,
          help,
          registers: [],
          collect() {
            this.set(read())
          },
        }),
      )
    }
    return opened
  }
}
