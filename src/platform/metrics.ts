import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { RequestDurations } from './request-durations.ts'

/** Names follow OpenTelemetry, with dots as underscores and the unit at the end. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requestDurations = new RequestDurations()
  requestDurations.register(registry)
  const failures = new Counter({
    name: 'petstore_failures_total',
    help: 'Requests that ended with an error code.',
    labelNames: ['code'] as const,
    registers: [registry],
  })
  return { registry, requestDurations, failures, gauge: gaugeFor(registry) }
}

export type Metrics = ReturnType<typeof createMetrics>

function gaugeFor(registry: Registry) {
  return (name: string, help: string, read: () => number) =>
    new Gauge({ name, help, registers: [registry], collect() { this.set(read()) } })
}
