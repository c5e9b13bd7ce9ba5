import type { Config } from '../config.ts'
import { ACCOUNT_MAIL_QUEUE } from '../features/accounts/mail/outbox.ts'
import { sendQueuedMail } from '../features/accounts/mail/send.ts'
import { FORGOTTEN_QUEUE, mailPasswordLink } from '../features/accounts/passwords/forgotten.ts'
import type { SecretSealer } from '../features/accounts/second-factors/secret-sealer.ts'
import { storageOf } from '../features/audit/audited.ts'
import { SYSTEM } from '../features/audit/record.ts'
import { dashboardUrlOf } from '../platform-api/dashboard.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { SendMail } from '../platform/mail.ts'
import type { ChangeFeed } from '../platform/storage/change-feed.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { Lease } from '../platform/work/lease.ts'
import { WorkRunner } from '../platform/work/runner.ts'

interface AccountMailNeeds {
  config: Pick<Config, 'baseUrl' | 'platformHost'>
  storage: Storage
  clock: Clock
  changes: ChangeFeed
  log: Log
  sealer: SecretSealer
  /** Undefined where no mail server is configured. */
  send: SendMail | undefined
}

interface AccountMail extends AsyncDisposable {
  start(): void
}

const MAILS_AT_ONCE = 4
const LINKS_AT_ONCE = 2

/** Sends what accounts have to be told: links that open something, and notices. */
export function openAccountMail(needs: AccountMailNeeds): AccountMail {
  const { config, storage, clock, changes, log, sealer, send } = needs
  const onError = (error: unknown) => log.warn({ err: error }, 'a mail could not be sent')
  const dashboardUrl = dashboardUrlOf(config)
  const mails = { storage, clock, send, sealer, dashboardUrl, mailDomain: config.platformHost, onError }
  const links = {
    storage: storageOf(storage, SYSTEM, clock),
    clock,
    sealer,
    mail: send !== undefined,
    dashboardUrl,
  }
  const run = (queue: string, concurrency: number, handle: (lease: Lease) => Promise<void>) =>
    new WorkRunner({ storage, clock, changes, queue, concurrency, handle, onError })
  const runners = [
    run(ACCOUNT_MAIL_QUEUE, MAILS_AT_ONCE, (lease) => sendQueuedMail(mails, lease)),
    run(FORGOTTEN_QUEUE, LINKS_AT_ONCE, async (lease) => {
      await mailPasswordLink(links, lease)
      // The mail that was just written is known here at once.
      await changes.catchUp()
    }),
  ]
  return {
    start: () => runners.forEach((runner) => runner.start()),
    async [Symbol.asyncDispose]() {
      await Promise.all(runners.map((runner) => runner[Symbol.asyncDispose]()))
    },
  }
}
