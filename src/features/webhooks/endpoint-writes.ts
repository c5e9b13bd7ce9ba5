import './tables.ts'
import type { Insertable } from 'kysely'
import { newId } from '../../platform/id.ts'
import { forgetSome, holdMessages, releaseMessages, tellAgain } from '../../platform/outbox/messages.ts'
import { recordMessageFor } from '../../platform/outbox/record.ts'
import { subscribe, unsubscribe, unsubscribeProject } from '../../platform/outbox/subscriptions.ts'
import type { AuditNote } from '../../platform/storage/audit-note.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Engine, Tables } from '../../platform/storage/tables.ts'
import { takeTurn } from '../../platform/storage/turns.ts'
import { scheduleWork } from '../../platform/work/lease.ts'
import { findProjectForUpdate } from '../projects/queries.ts'
import { TEST_TYPE } from './event-types.ts'
import { type Endpoint, findEndpointForUpdate, listEndpointsOf } from './queries.ts'
import { hasSecret, oldSecrets } from './secrets.ts'
import type { OffReason } from './tables.ts'
import { WEBHOOK_QUEUE } from './watch.ts'

/** Endpoints of a project: each costs a row for every change that it hears of. */
export const ENDPOINTS_MAX = 10
/** Command lines that listen at the same time. */
export const LISTENERS_MAX = 5

type EndpointRow = Insertable<Tables['webhook_endpoints']>

export const insertEndpoint = defineWrite(
  'webhooks.insert',
  async (db, { row, now }: { row: EndpointRow; now: number }, engine) => {
    await takeTurn(db, engine, `webhooks of ${row.project_id}`)
    // One that comes while its project goes would hear of every animal that is taken away.
    if (!(await findProjectForUpdate(db, engine, row.project_id))) return { kind: 'no_project' as const }
    const isListener = row.url === null
    const alike = (await listEndpointsOf(db, row.project_id)).filter(({ url }) => (url === null) === isListener)
    const gone = alike.filter(({ listening_until: until }) => until !== null && until < now)
    for (const { id } of gone) await removeRows(db, id)
    if (alike.length - gone.length >= (isListener ? LISTENERS_MAX : ENDPOINTS_MAX)) return { kind: 'too_many' as const }
    await db.insertInto('webhook_endpoints').values(row).execute()
    await subscribe(db, subscriberOf(row))
    return { kind: 'created' as const }
  },
  {
    note: ({ row: { id, project_id: projectId, url, types } }, { kind }) =>
      kind === 'created' && url !== null && url !== undefined
        ? { verb: 'webhook.create', subject: id, projectId, details: { url, types } }
        : undefined,
  },
)

const subscriberOf = ({ id, project_id, types, environment }: EndpointRow) => ({
  id,
  projectId: project_id,
  types: types.split(' '),
  environment: environment ?? undefined,
})

export async function removeRows(db: Db, id: string): Promise<void> {
  await unsubscribe(db, id)
  await forgetSome(db, id)
  await db.deleteFrom('webhook_endpoints').where('id', '=', id).execute()
}

interface OfProject {
  projectId: number
  id: string
}

/** Undefined where it is another project's. */
async function findOwn(db: Db, engine: Engine, { projectId, id }: OfProject): Promise<Endpoint | undefined> {
  const endpoint = await findEndpointForUpdate(db, engine, id)
  return endpoint?.project_id === projectId ? endpoint : undefined
}

/** Nor is a command line that listens: with an address it would be one more than a project may have. */
async function findAddressed(db: Db, engine: Engine, of: OfProject): Promise<Endpoint | undefined> {
  const endpoint = await findOwn(db, engine, of)
  return endpoint?.url === null ? undefined : endpoint
}

export interface EndpointChange extends OfProject {
  changes: Partial<Pick<EndpointRow, 'url' | 'name' | 'types' | 'environment'>>
  /** Whether it is to get anything from now on; undefined leaves that as it is. */
  on: boolean | undefined
  now: number
}

export const updateEndpoint = defineWrite(
  'webhooks.update',
  async (db, { changes, on, now, ...of }: EndpointChange, engine) => {
    const before = await findAddressed(db, engine, of)
    if (!before) return { kind: 'missing' as const }
    if (on === true && !hasSecret(before)) return { kind: 'no-secret' as const }
    const endpoint: Endpoint = { ...before, ...(changes as Partial<Endpoint>) }
    if (Object.keys(changes).length > 0) {
      await db.updateTable('webhook_endpoints').set(changes).where('id', '=', of.id).execute()
    }
    if (on === false && gathers(endpoint)) await switchOffRow(db, endpoint, 'person', now)
    if (on === true && endpoint.off_at !== null) await switchOnRow(db, endpoint)
    if (gathers(endpoint)) await subscribe(db, subscriberOf(endpoint))
    if (endpoint.off_at === null && (on === true || changes.url !== undefined)) {
      await endRest(db, engine, endpoint, now)
    }
    return { kind: 'updated' as const, before, endpoint }
  },
  {
    note({ id, projectId, changes }, outcome) {
      if (outcome.kind !== 'updated') return undefined
      const { before, endpoint } = outcome
      const changed = (Object.keys(changes) as (keyof typeof changes)[]).filter((key) => before[key] !== endpoint[key])
      const on = endpoint.off_at === null
      const details = {
        ...(changed.length > 0 ? { changed: changed.join(' ') } : {}),
        ...(on === (before.off_at === null) ? {} : { on }),
      }
      if (Object.keys(details).length === 0) return undefined
      return { verb: 'webhook.change', subject: id, projectId, details }
    },
  },
)

/** Also one that is off because its secret was lost: what it hears of can be changed, and it can be switched off. */
const gathers = ({ off_at, off_reason }: Endpoint) => off_at === null || off_reason === 'secret_lost'

async function switchOnRow(db: Db, endpoint: Endpoint): Promise<void> {
  const on = { off_at: null, off_reason: null }
  Object.assign(endpoint, on)
  await db.updateTable('webhook_endpoints').set(on).where('id', '=', endpoint.id).execute()
  await releaseMessages(db, endpoint.id)
}

/** What waits is kept, and told when it is switched on again. */
export async function switchOffRow(db: Db, endpoint: Endpoint, reason: OffReason, now: number): Promise<void> {
  Object.assign(endpoint, { off_at: now, off_reason: reason })
  await db
    .updateTable('webhook_endpoints')
    .set({ off_at: now, off_reason: reason })
    .where('id', '=', endpoint.id)
    .execute()
  await unsubscribe(db, endpoint.id)
  await holdMessages(db, endpoint.id)
}

/** By the service itself, which tells people by the note. */
export const switchOff = defineWrite(
  'webhooks.switchOff',
  async (db, { id, reason, now }: { id: string; reason: OffReason; now: number }, engine) => {
    const endpoint = await findEndpointForUpdate(db, engine, id)
    if (!endpoint || endpoint.off_at !== null) return { kind: 'off-already' as const }
    await switchOffRow(db, endpoint, reason, now)
    return { kind: 'off' as const, endpoint }
  },
  {
    note: ({ reason }, outcome) => (outcome.kind === 'off' ? noteOfOff(outcome.endpoint, reason) : undefined),
  },
)

export const noteOfOff = ({ id, project_id: projectId, url }: Endpoint, reason: OffReason): AuditNote => ({
  verb: 'webhook.off',
  subject: id,
  projectId,
  details: { reason, url },
})

/** Beyond those the oldest ends early: each makes the header of every message longer. */
const OLD_SECRETS_MAX = 5

interface SecretRotation extends OfProject {
  sealed: string
  /** Of the secret that there is; if it ends now, so do all that are older. */
  oldUntil: number
  now: number
}

export const rotateSecret = defineWrite(
  'webhooks.rotate',
  async (db, { sealed, oldUntil, now, ...of }: SecretRotation, engine) => {
    const endpoint = await findAddressed(db, engine, of)
    if (!endpoint) return { kind: 'missing' as const }
    const older = oldUntil > now ? oldSecrets(endpoint, now).slice(0, OLD_SECRETS_MAX - 1) : []
    const isKept = hasSecret(endpoint)
    const changes = {
      sealed_secret: sealed,
      sealed_old_secret: isKept ? endpoint.sealed_secret : null,
      old_secret_until: isKept ? oldUntil : null,
      older_secrets: older.length > 0 ? JSON.stringify(older) : null,
    }
    await db.updateTable('webhook_endpoints').set(changes).where('id', '=', of.id).execute()
    const rotated: Endpoint = { ...endpoint, ...changes }
    if (endpoint.off_reason === 'secret_lost') {
      await switchOnRow(db, rotated)
      await subscribe(db, subscriberOf(rotated))
      await endRest(db, engine, rotated, now)
    }
    return { kind: 'rotated' as const, before: endpoint, endpoint: rotated }
  },
  {
    note({ id, projectId }, outcome) {
      if (outcome.kind !== 'rotated') return undefined
      const { before, endpoint } = outcome
      const oldUntil = endpoint.old_secret_until
      const details = oldUntil === null ? {} : { oldUntil }
      const rotation = { verb: 'webhook.rotate', subject: id, projectId, details }
      if ((before.off_at === null) === (endpoint.off_at === null)) return rotation
      return [rotation, { verb: 'webhook.change', subject: id, projectId, details: { on: true } }]
    },
  },
)

export const removeEndpoint = defineWrite(
  'webhooks.remove',
  async (db, of: OfProject, engine) => {
    const endpoint = await findOwn(db, engine, of)
    if (!endpoint) return { kind: 'missing' as const }
    await removeRows(db, of.id)
    return { kind: 'removed' as const, endpoint }
  },
  {
    note: ({ id, projectId }, outcome) =>
      outcome.kind === 'removed' && outcome.endpoint.url !== null
        ? { verb: 'webhook.remove', subject: id, projectId, details: { url: outcome.endpoint.url } }
        : undefined,
  },
)

/** For the transaction that deletes a project: what waits for them is sent no more, and taken away afterwards. */
export async function removeEndpointsOfProject(db: Db, projectId: number): Promise<void> {
  // First, so that whoever is changing one ends before: it would subscribe again.
  await db.deleteFrom('webhook_endpoints').where('project_id', '=', projectId).execute()
  await unsubscribeProject(db, projectId)
}

/** What a person sends does not wait until a receiver that asked for a pause has had it. */
async function endRest(db: Db, engine: Engine, { id, url }: Endpoint, now: number): Promise<void> {
  if (url !== null) await scheduleWork(db, engine, { queue: WEBHOOK_QUEUE, subject: id, dueAt: now, now })
}

/** A message that says nothing but that the way is open. */
export const sendTest = defineWrite(
  'webhooks.test',
  async (db, { now, ...of }: OfProject & { now: number }, engine) => {
    const endpoint = await findOwn(db, engine, of)
    if (!endpoint) return { kind: 'missing' as const }
    if (endpoint.off_at !== null) return { kind: 'off' as const }
    const data = JSON.stringify({ endpoint: of.id })
    // Each by itself: whoever asks whether the way is open by now need not wait for what failed before.
    const resource = `webhook/${newId('test')}`
    const message = { projectId: of.projectId, type: TEST_TYPE, resource, data }
    await endRest(db, engine, endpoint, now)
    return { kind: 'sent' as const, messageId: await recordMessageFor(db, engine, of.id, message, now) }
  },
  // The delivery log tells of it.
  { note: () => undefined },
)

export const sendAgain = defineWrite(
  'webhooks.sendAgain',
  async (db, { messageId, now, ...of }: OfProject & { messageId: string; now: number }, engine) => {
    const endpoint = await findOwn(db, engine, of)
    if (!endpoint) return { kind: 'missing' as const }
    if (endpoint.off_at !== null) return { kind: 'off' as const }
    if (!(await tellAgain(db, of.id, messageId))) return { kind: 'no-message' as const }
    await endRest(db, engine, endpoint, now)
    return { kind: 'sent' as const }
  },
  {
    note: ({ id, projectId, messageId }, { kind }) =>
      kind === 'sent' ? { verb: 'webhook.resend', subject: id, projectId, details: { messageId } } : undefined,
  },
)
