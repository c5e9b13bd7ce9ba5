import type { Config } from '../config.ts'
import { queueMail } from '../features/accounts/mail/outbox.ts'
import { findShareHolder, listMembersOfProject } from '../features/accounts/queries.ts'
import { storageOf, type Tell } from '../features/audit/audited.ts'
import { SYSTEM } from '../features/audit/record.ts'
import { findProjectById } from '../features/projects/queries.ts'
import { deliverDue, type DeliverNeeds } from '../features/webhooks/deliver.ts'
import { findEndpoint } from '../features/webhooks/queries.ts'
import { WEBHOOK_QUEUE, WebhookWatch } from '../features/webhooks/watch.ts'
import { dashboardUrlOf } from '../platform-api/dashboard.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { ChangeFeed } from '../platform/storage/change-feed.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { WorkRunner } from '../platform/work/runner.ts'

interface WebhooksServiceNeeds extends Pick<DeliverNeeds, 'sealer' | 'random' | 'isSuspended'> {
  config: Pick<Config, 'baseUrl' | 'smtp' | 'webhookNetworks'>
  storage: Storage
  clock: Clock
  changes: ChangeFeed
  log: Log
  sending: Omit<DeliverNeeds['sending'], 'privateNetworks'>
}

interface WebhooksService extends AsyncDisposable {
  start(): void
}

/** Endpoints that one instance works on at once: those that stall have a place for the length of their timeouts. */
const ENDPOINTS_AT_ONCE = 64
/** Of those, endpoints of all projects of one owner. */
const ENDPOINTS_OF_OWNER = 8

/** Delivers what the outbox holds. Of several instances each endpoint has one that delivers to it, by lease. */
export function openWebhooks(needs: WebhooksServiceNeeds): WebhooksService {
  const { config, storage, clock, changes, log, sealer, random, isSuspended } = needs
  const deliverer: DeliverNeeds = {
    storage,
    audited: storageOf(storage, SYSTEM, clock, config.smtp && mailSwitchedOff(dashboardUrlOf(config))),
    clock,
    isSuspended,
    sealer,
    random,
    sending: { ...needs.sending, privateNetworks: config.webhookNetworks },
  }
  const onError = (error: unknown) => log.warn({ err: error }, 'webhooks could not be delivered')
  const runner = new WorkRunner({
    storage,
    clock,
    changes,
    queue: WEBHOOK_QUEUE,
    concurrency: ENDPOINTS_AT_ONCE,
    share: {
      async holderOf(id) {
        const endpoint = await findEndpoint(storage.read, id)
        return endpoint ? findShareHolder(storage.read, endpoint.project_id) : id
      },
      placesMax: ENDPOINTS_OF_OWNER,
    },
    handle: (lease, signal) => deliverDue(deliverer, lease, signal),
    onError,
  })
  const watch = new WebhookWatch({ storage, clock, isSuspended, onError, wake: () => runner.wake() })
  return {
    start() {
      watch.start()
      runner.start()
    },
    async [Symbol.asyncDispose]() {
      await watch[Symbol.asyncDispose]()
      await runner[Symbol.asyncDispose]()
    },
  }
}

const WHY: Record<string, string> = {
  failing: 'It has taken nothing for three days.',
  gone: 'It has answered 410, which asks for nothing more to be sent.',
  backlog: 'More than 100,000 messages were waiting for it.',
  secret_lost:
    'The operator has lost the key that its secret was sealed with. Rotate the secret, and give the new one to the ' +
    'receiver: that switches the endpoint on. What happens until then waits as well.',
}

/** Those who could switch it on again are told that the service has switched it off. */
export function mailSwitchedOff(dashboardUrl: string): Tell {
  return async (db, engine, { verb, projectId, details }, now) => {
    if (verb !== 'webhook.off' || typeof projectId !== 'number') return
    const project = await findProjectById(db, projectId)
    if (!project) return
    const text =
      `The webhook endpoint ${details?.url} of the project ${project.name} is switched off. ` +
      `${WHY[String(details?.reason)] ?? ''} What waited is kept for two weeks, and sent when it is switched on:` +
      `\n\n${dashboardUrl}/projects/${project.slug}/webhooks`
    for (const { role, email: to } of await listMembersOfProject(db, projectId)) {
      if (role !== 'viewer')
        await queueMail(db, engine, { to, subject: 'A webhook endpoint is switched off', text }, now)
    }
  }
}
