import { hostname } from 'node:os'
import packageJson from '../../package.json' with { type: 'json' }
import type { Config } from '../config.ts'
import type { RequestCounter } from '../features/requests/counter.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { announcePresence, type Presence } from '../platform/work/presence.ts'

interface PresenceNeeds {
  config: Pick<Config, 'httpsPort'>
  storage: Storage
  clock: Clock
  log: Log
  metrics: Pick<Metrics, 'requestDurations'>
  requests: Pick<RequestCounter, 'visited'>
}

/** What an instance is called wherever several are shown, also after a restart. */
export const instanceName = ({ httpsPort }: Pick<Config, 'httpsPort'>) => `${hostname()}:${httpsPort}`

/** Lets the operator see this worker among all that serve. */
export function openPresence({ config, storage, clock, log, metrics, requests }: PresenceNeeds): Promise<Presence> {
  return announcePresence({
    storage,
    clock,
    name: instanceName(config),
    version: packageJson.version,
    served() {
      const calls = metrics.requestDurations.totals()
      const { visited } = requests
      return { requests: calls.requests + visited.requests, errors: calls.errors + visited.errors }
    },
    onError: (error) => log.warn({ err: error }, 'this instance could not say that it lives'),
  })
}
