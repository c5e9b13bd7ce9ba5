import type { UsageCounter } from './features/keys/usage.ts'
import type { ApiObserver } from './platform/http/exchange.ts'
import type { Log } from './platform/log.ts'
import type { Metrics } from './platform/metrics.ts'

/** What every answer leaves behind: a duration, a count for its key, and a line in the log where one is due. */
export function apiObserver(metrics: Metrics, usage: UsageCounter, log: Log): ApiObserver {
  const logsRequests = log.isLevelEnabled('debug')

  return {
    answered({ method = '', exchange }, status, failure) {
      const { contract, caller, environment, requestId } = exchange
      const durationMs = performance.now() - exchange.startedAt
      const route = contract?.path ?? 'none'
      const labels = () => ({
        http_request_method: method,
        http_route: route,
        http_response_status_code: String(status),
        environment,
      })
      metrics.requestDurations.observe(method + route + status + environment, labels, durationMs / 1000)
      if (failure) metrics.failures.inc({ code: failure.code })
      if (caller && contract) usage.count(caller, contract.id, status >= 400)

      if (status < 500 && !logsRequests) return
      const { projectId, keyId } = caller ?? {}
      const line = { requestId, operation: contract?.id, environment, projectId, keyId, status, durationMs }
      if (status >= 500) log.error({ ...line, err: failure?.cause ?? failure }, 'request failed')
      else log.debug(line, 'request')
    },
  }
}
