import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Names follow OpenTelemetry, with dots as underscores and the unit at the end. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requestDuration = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the first byte of a request until its answer was written.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code', 'environment'] as const,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const failures = new Counter({
    name: 'petstore_failures_total',
    help: 'Requests that ended with an error code.',
    labelNames: ['code'] as const,
    registers: [registry],
  })
  return { registry, requestDuration, failures, gauge: gaugeFor(registry) }
}

export type Metrics = ReturnType<typeof createMetrics>

function gaugeFor(registry: Registry) {
  return (name: string, help: string, read: () => number) =>
    new Gauge({ name, help, registers: [registry], collect() { this.set(read()) } })
}
