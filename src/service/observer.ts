import type { UsageCounter } from '../features/keys/usage.ts'
import type { RequestCounter } from '../features/requests/counter.ts'
import type { ProgramChanges, StoreNoun } from '../platform-api/program-changes.ts'
import { performance } from '../platform/clock.ts'
import { clientAddress } from '../platform/http/client.ts'
import type { Exchange, HttpInterface, HttpRoute } from '../platform/http/exchange.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Series } from '../platform/request-durations.ts'

/** Strangers choose the method: others are counted together, so that they cannot grow the metrics. */
const METHODS = ['GET', 'POST', 'PATCH', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']

/** Those that change nothing. */
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

interface ApiObserverNeeds {
  metrics: Metrics
  usage: UsageCounter
  requests: RequestCounter
  log: Log
  /** Undefined where the store counts changes itself. */
  programs: Pick<ProgramChanges, 'note'> | undefined
}

/** What every answer leaves behind: a duration, a count for its key, and a line in the log where one is due. */
export function apiObserver(needs: ApiObserverNeeds): HttpInterface['answered'] {
  const { metrics, usage, requests, log, programs } = needs
  const logsRequests = log.isLevelEnabled('debug')
  const known = new Map<HttpRoute | undefined, Map<number, Series>>()

  /** Found by numbers instead of by a text that would have to be built for every request. */
  function seriesOf(method: string, { route, environment }: Exchange, status: number): Series {
    let ofRoute = known.get(route)
    if (!ofRoute) known.set(route, (ofRoute = new Map()))
    const place = METHODS.indexOf(method) * 2 + (environment === 'staging' ? 1 : 0) + status * 100
    let series = ofRoute.get(place)
    if (!series) {
      series = metrics.requestDurations.series({
        http_request_method: METHODS.includes(method) ? method : 'other',
        http_route: route?.path ?? 'none',
        http_response_status_code: String(status),
        environment,
      })
      ofRoute.set(place, series)
    }
    return series
  }

  return (exchange, status, failure) => {
    const { request, route, caller, environment, requestId } = exchange
    const durationMs = performance.now() - exchange.startedAt
    metrics.requestDurations.observe(seriesOf(request.method ?? '', exchange, status), durationMs / 1000)
    if (failure) metrics.countFailure(failure.code)
    if (caller && route) {
      usage.count(caller, route.id, status >= 400)
      requests.call(caller, route.id, status >= 400, durationMs)
      if (failure) requests.failed(caller, route.id, status, failure.code, requestId)
      else if (programs && !READS.has(route.method)) programs.note(caller.projectId, nounOf(route))
    }

    if (status < 500 && !logsRequests) return
    const { projectId, keyId } = caller ?? {}
    const client = clientAddress(request)
    const line = { requestId, operation: route?.id, environment, client, projectId, keyId, status, durationMs }
    if (status >= 500) log.error({ ...line, err: failure?.cause ?? failure }, 'request failed')
    else log.debug(line, 'request')
  }
}

const nounOf = ({ path }: HttpRoute): StoreNoun => (path.startsWith('/store/orders') ? 'order' : 'pet')
