import type { Config } from '../config.ts'
import { ACCOUNT_MAIL_QUEUE } from '../features/accounts/mail/outbox.ts'
import { sendQueuedMail } from '../features/accounts/mail/send.ts'
import type { SecretSealer } from '../features/accounts/second-factors/second-factors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { SendMail } from '../platform/mail.ts'
import type { ChangeFeed } from '../platform/storage/change-feed.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { WorkRunner } from '../platform/work/runner.ts'

interface AccountMailNeeds {
  config: Pick<Config, 'platformHost'>
  storage: Storage
  clock: Clock
  changes: ChangeFeed
  log: Log
  sealer: SecretSealer
  /** Undefined where no mail server is configured. */
  send: SendMail | undefined
}

const MAILS_AT_ONCE = 4

/** Sends what accounts have to be told: links that open something, and notices. */
export function openAccountMail({ config, log, sealer, send, ...work }: AccountMailNeeds): WorkRunner {
  const onError = (error: unknown) => log.warn({ err: error }, 'a mail could not be sent')
  const mails = { ...work, send, sealer, mailDomain: config.platformHost, onError }
  return new WorkRunner({
    ...work,
    queue: ACCOUNT_MAIL_QUEUE,
    concurrency: MAILS_AT_ONCE,
    handle: (lease) => sendQueuedMail(mails, lease),
    onError,
  })
}
