import type { Config } from '../config.ts'
import { sweepMails } from '../features/accounts/mail/outbox.ts'
import { sweepUnconfirmed } from '../features/accounts/unconfirmed.ts'
import { storageOf } from '../features/audit/audited.ts'
import { SYSTEM } from '../features/audit/record.ts'
import { sweepAudit } from '../features/audit/sweep.ts'
import { sweepCertificates } from '../features/certificates/sweep.ts'
import { sweepDomains } from '../features/domains/sweep.ts'
import { sweepWebhooks } from '../features/webhooks/sweep.ts'
import { sweepRequests } from '../features/requests/writes.ts'
import { HOUR_MS, type Clock } from '../platform/clock.ts'
import { deleteExpiredIdempotencyKeys } from '../platform/http/idempotency.ts'
import type { Log } from '../platform/log.ts'
import { deleteOldChanges } from '../platform/storage/change-feed.ts'
import { defineWrite, type Storage } from '../platform/storage/storage.ts'
import { forgetInstances } from '../platform/work/presence.ts'

const sweep = defineWrite('housekeeping.sweep', async (db, { now }: { now: number }, engine) => {
  await deleteExpiredIdempotencyKeys(db, now)
  await deleteOldChanges(db, now)
  await sweepDomains(db, now)
  await sweepCertificates(db, now)
  await sweepMails(db, now)
  await sweepWebhooks(db, now)
  await sweepRequests(db, now)
  await forgetInstances(db, engine)
})

interface HousekeepingNeeds {
  config: Pick<Config, 'auditDays' | 'smtp'>
  storage: Storage
  clock: Clock
  log: Log
}

/** Takes away what nobody can ask for any more, once an hour. */
export function startHousekeeping({ config, storage, clock, log }: HousekeepingNeeds): AsyncDisposable {
  const tidy = async () => {
    await storage.write(sweep, { now: clock.now() })
    if (config.smtp) await sweepUnconfirmed(storageOf(storage, SYSTEM, clock), clock.now())
    await sweepAudit(storage, config.auditDays, clock.now())
  }
  const stop = new AbortController()
  const running = (async () => {
    while (!stop.signal.aborted) {
      await tidy().catch((error: unknown) => log.warn({ err: error }, 'sweep failed'))
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
