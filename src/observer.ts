import type { UsageCounter } from './features/keys/usage.ts'
import type { ApiObserver } from './platform/http/api.ts'
import type { Log } from './platform/log.ts'
import type { Metrics } from './platform/metrics.ts'

/** What every answer leaves behind: a duration, a count for its key, and a line in the log where one is due. */
export function apiObserver(metrics: Metrics, usage: UsageCounter, log: Log): ApiObserver {
  const durations = new Map<string, { observe(seconds: number): void }>()

  return {
    answered({ request, requestId, operation, route, caller, environment, status, durationMs, failure }) {
      const series = `${request.method} ${route} ${status} ${environment}`
      let duration = durations.get(series)
      if (!duration) {
        duration = metrics.requestDuration.labels(knownMethod(request.method), route ?? 'none', String(status), environment)
        durations.set(series, duration)
      }
      duration.observe(durationMs / 1000)
      if (failure) metrics.failures.inc({ code: failure.code })
      if (caller && operation) usage.count(caller, operation, status >= 400)

      if (status < 500 && !log.isLevelEnabled('debug')) return
      const line = { requestId, operation, environment, project: caller?.projectId, keyId: caller?.keyId, status, durationMs }
      if (status >= 500) log.error({ ...line, err: failure?.cause ?? failure }, 'request failed')
      else log.debug(line, 'request')
    },
  }
}

/** Strangers choose the method: an unbounded label would let them grow the metrics. */
function knownMethod(method: string | undefined): string {
  return ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'].includes(method ?? '') ? (method as string) : 'other'
}
