import type { Config } from '../config.ts'
import { reachedAt } from '../edge/ports.ts'
import { noticesByMail } from '../features/accounts/mail/notices.ts'
import { storageOf } from '../features/audit/audited.ts'
import { SYSTEM } from '../features/audit/record.ts'
import { startWatching } from '../features/certificates/watching/watch.ts'
import { dashboardUrlOf } from '../platform-api/dashboard.ts'
import { publicPorts } from '../platform-api/public-addresses.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { PlatformNames } from './platform-names.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { instanceName } from './presence.ts'

interface WatchingNeeds {
  config: Pick<Config, 'baseUrl' | 'stagingUrl' | 'httpsPort' | 'listenOn' | 'watchEveryMs' | 'smtp'>
  storage: Storage
  clock: Clock
  log: Log
  platformNames: Pick<PlatformNames, 'watched' | 'certificateFor'>
}

/** This instance looks at what it serves itself, over its own port. */
export function openWatching({ config, storage, clock, log, platformNames }: WatchingNeeds): AsyncDisposable {
  const { httpsPort: port, listenOn, watchEveryMs } = config
  if (watchEveryMs === undefined) return { async [Symbol.asyncDispose]() {} }
  const [first = '::'] = listenOn
  const edge = { address: reachedAt(first), port, publicPort: publicPorts(config).https }
  return startWatching(
    {
      storage: storageOf(storage, SYSTEM, clock, config.smtp && noticesByMail(dashboardUrlOf(config))),
      clock,
      instance: instanceName(config),
      edge,
      platform: {
        names: () => platformNames.watched(),
        chainAt: async (name) => (await platformNames.certificateFor(name))?.cert,
        onProblem: (name, found) => log.warn({ hostname: name }, `At this instance, ${found}.`),
      },
      onError: (error) => log.warn({ err: error }, 'what is served could not be looked at'),
    },
    { everyMs: watchEveryMs },
  )
}
