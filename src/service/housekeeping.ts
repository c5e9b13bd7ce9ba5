import type { Config } from '../config.ts'
import { sweepMails } from '../features/accounts/mail/outbox.ts'
import { sweepUnconfirmed } from '../features/accounts/unconfirmed.ts'
import { storageOf } from '../features/audit/audited.ts'
import { SYSTEM } from '../features/audit/record.ts'
import { sweepAudit } from '../features/audit/sweep.ts'
import { forgetPlans, sweepCertificates } from '../features/certificates/sweep.ts'
import { deleteOldNotifications } from '../features/domains/notifications/notifications.ts'
import { sweepChecks, sweepDomains } from '../features/domains/sweep.ts'
import { sweepKeys } from '../features/keys/sweep.ts'
import { sweepWebhooks } from '../features/webhooks/sweep.ts'
import { sweepRequests } from '../features/requests/writes.ts'
import { HOUR_MS, type Clock } from '../platform/clock.ts'
import { deleteExpiredIdempotencyKeys } from '../platform/http/idempotency.ts'
import type { Log } from '../platform/log.ts'
import { deleteOldChanges } from '../platform/storage/change-feed.ts'
import { defineWrite, type Storage } from '../platform/storage/storage.ts'
import type { Db, Engine } from '../platform/storage/tables.ts'
import { forgetInstances } from '../platform/work/presence.ts'
import { noticeWrongClock } from '../platform/work/wrong-clock.ts'

/** By what is taken away; true: there may be more, which other writers do not wait for. */
const SWEEPS = {
  plans: async (db, now, engine) => {
    if (await noticeWrongClock(db, engine, now)) await forgetPlans(db, now)
  },
  'idempotency keys': deleteExpiredIdempotencyKeys,
  changes: deleteOldChanges,
  // By themselves: a step of one would look in vain for the others first, which costs more than what it takes away.
  checks: sweepChecks,
  domains: sweepDomains,
  notifications: deleteOldNotifications,
  certificates: sweepCertificates,
  keys: sweepKeys,
  mails: sweepMails,
  webhooks: sweepWebhooks,
  requests: sweepRequests,
  instances: (db, _now, engine) => forgetInstances(db, engine),
} satisfies Record<string, (db: Db, now: number, engine: Engine) => Promise<boolean | void>>

type Swept = keyof typeof SWEEPS

const sweep = defineWrite('housekeeping.sweep', async (db, { what, now }: { what: Swept; now: number }, engine) => {
  const isMore = await SWEEPS[what](db, now, engine)
  return { isMore: isMore === true }
})

interface HousekeepingNeeds {
  config: Pick<Config, 'auditDays' | 'smtp'>
  storage: Storage
  clock: Clock
  log: Log
}

/** Takes away what nobody can ask for any more, once an hour; what cannot be swept keeps nothing else from it. */
export function startHousekeeping({ config, storage, clock, log }: HousekeepingNeeds): AsyncDisposable {
  const stop = new AbortController()
  const tidy = async (what: string, take: () => Promise<unknown>) => {
    if (!stop.signal.aborted) await take().catch((error: unknown) => log.warn({ err: error, what }, 'sweep failed'))
  }
  const running = (async () => {
    while (!stop.signal.aborted) {
      const now = clock.now()
      for (const what of Object.keys(SWEEPS) as Swept[]) {
        await tidy(what, async () => {
          while ((await storage.write(sweep, { what, now })).isMore && !stop.signal.aborted);
        })
      }
      if (config.smtp) await tidy('accounts', () => sweepUnconfirmed(storageOf(storage, SYSTEM, clock), now))
      await tidy('audit', () => sweepAudit(storage, config.auditDays, now))
      await clock.sleep(HOUR_MS, stop.signal)
    }
  })()
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running
    },
  }
}
