import { type Clock, HOUR_MS } from '../../platform/clock.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/id.ts'
import { findMessage, listMessages } from '../../platform/outbox/messages.ts'
import type { AuditedStorage } from '../../platform/storage/storage.ts'
import { faultOf } from './destination.ts'
import {
  ENDPOINTS_MAX,
  insertEndpoint,
  removeEndpoint,
  rotateSecret,
  sendAgain,
  sendTest,
  updateEndpoint,
} from './endpoint-writes.ts'
import { EVENT_TYPES, type EventType } from './event-types.ts'
import { type Endpoint, findEndpoint, listAttempts, listEndpointsOf } from './queries.ts'
import { type SecretSealer, secretOf } from './secrets.ts'
import { mintSecret } from './signature.ts'
import {
  type EndpointView,
  endpointView,
  type MessageDetails,
  messageDetails,
  type MessageView,
  messageView,
  type NewEndpointView,
} from './view.ts'
import { findRestUntil } from './watch.ts'
import { beginningOf } from '../../platform/schema.ts'

export interface WebhooksNeeds {
  storage: AuditedStorage
  clock: Clock
  sealer: SecretSealer
  /** Whether addresses without TLS may be told, as on a laptop. */
  mayBePlain: boolean
}

export interface EndpointInput {
  url: string
  name?: string | undefined
  events?: readonly EventType[] | undefined
  environment?: 'production' | 'staging' | undefined
}

/** The secret before keeps signing for so long, unless it is said otherwise. */
const OVERLAP_HOURS_DEFAULT = 24

export async function createEndpoint(
  { storage, clock, sealer, mayBePlain }: WebhooksNeeds,
  projectId: number,
  { url, name = '', events = EVENT_TYPES, environment }: EndpointInput,
): Promise<NewEndpointView> {
  const row = newEndpointRow({ projectId, types: typesOf(events), environment, now: clock.now() })
  const secret = mintSecret()
  const endpoint: Endpoint = {
    ...row,
    name: name.trim(),
    url: checkedUrl(url, mayBePlain, 'created'),
    sealed_secret: sealer.seal(secretOf(row.id), secret),
  }
  const { kind } = await storage.write(insertEndpoint, { row: endpoint, now: clock.now() })
  if (kind === 'no_project') throw noProject()
  if (kind === 'too_many') {
    throw conflict(`This project has ${ENDPOINTS_MAX} webhook endpoints, which is the most: remove one first.`)
  }
  return { ...endpointView(endpoint, clock.now()), secret }
}

export function newEndpointRow(
  of: Pick<EndpointInput, 'environment'> & { projectId: number; types: string; now: number },
): Omit<Endpoint, 'url' | 'name' | 'sealed_secret'> {
  return {
    id: newId('whe'),
    project_id: of.projectId,
    types: of.types,
    environment: of.environment ?? null,
    sealed_old_secret: null,
    old_secret_until: null,
    older_secrets: null,
    created_at: of.now,
    off_at: null,
    off_reason: null,
    last_delivered_at: null,
    last_failed_at: null,
    listening_until: null,
  }
}

/** In the order of the list, each once. */
export function typesOf(events: readonly EventType[]): string {
  const types = EVENT_TYPES.filter((type) => events.includes(type))
  if (types.length === 0) throw invalid('Choose at least one event.')
  return types.join(' ')
}

function checkedUrl(text: string, mayBePlain: boolean, done: 'created' | 'changed'): string {
  const url = URL.parse(text.trim())
  const fault = faultOf(url, { mayBePlain })
  if (fault !== undefined || url === null) throw invalid(`The endpoint was not ${done}: ${fault}.`)
  return url.href
}

type ReadNeeds = Pick<WebhooksNeeds, 'clock'> & { storage: Pick<AuditedStorage, 'read'> }

export async function listEndpoints({ storage, clock }: ReadNeeds, projectId: number): Promise<EndpointView[]> {
  const endpoints = await listEndpointsOf(storage.read, projectId)
  return endpoints.filter(({ url }) => url !== null).map((endpoint) => endpointView(endpoint, clock.now()))
}

interface Named {
  projectId: number
  id: string
}

export async function requireEndpoint({ storage }: Omit<ReadNeeds, 'clock'>, { projectId, id }: Named) {
  const endpoint = await findEndpoint(storage.read, id)
  if (endpoint?.project_id !== projectId) throw noEndpoint(id)
  return endpoint
}

export const noProject = () => notFound('This project has been deleted.')

const noEndpoint = (id: string) => notFound(`This project has no webhook endpoint "${beginningOf(id, 40)}".`)

export async function changeEndpoint(
  { storage, clock, mayBePlain }: WebhooksNeeds,
  of: Named,
  input: Partial<EndpointInput> & { both?: boolean | undefined; on?: boolean | undefined },
): Promise<EndpointView> {
  const { url, name, events, environment, both, on } = input
  const changes = {
    ...(url === undefined ? {} : { url: checkedUrl(url, mayBePlain, 'changed') }),
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(events === undefined ? {} : { types: typesOf(events) }),
    ...(environment === undefined ? {} : { environment }),
    ...(both === true ? { environment: null } : {}),
  }
  const outcome = await storage.write(updateEndpoint, { ...of, changes, on, now: clock.now() })
  if (outcome.kind === 'missing') throw noEndpoint(of.id)
  if (outcome.kind === 'no-secret') {
    throw conflict('The secret of this endpoint was lost with the master key of the service: rotate the secret first.')
  }
  return endpointView(outcome.endpoint, clock.now())
}

export async function rotateEndpointSecret(
  { storage, clock, sealer }: Omit<WebhooksNeeds, 'mayBePlain'>,
  of: Named,
  overlapHours = OVERLAP_HOURS_DEFAULT,
): Promise<NewEndpointView> {
  const secret = mintSecret()
  const now = clock.now()
  const oldUntil = now + overlapHours * HOUR_MS
  const sealed = sealer.seal(secretOf(of.id), secret)
  const outcome = await storage.write(rotateSecret, { ...of, sealed, oldUntil, now })
  if (outcome.kind === 'missing') throw noEndpoint(of.id)
  return { ...endpointView(outcome.endpoint, now), secret }
}

export async function removeEndpointOf({ storage }: { storage: AuditedStorage }, of: Named): Promise<void> {
  const { kind } = await storage.write(removeEndpoint, of)
  if (kind === 'missing') throw noEndpoint(of.id)
}

type SendingNeeds = Pick<WebhooksNeeds, 'storage' | 'clock'>

export async function testEndpoint({ storage, clock }: SendingNeeds, of: Named): Promise<MessageView> {
  const outcome = await storage.write(sendTest, { ...of, now: clock.now() })
  if (outcome.kind === 'missing') throw noEndpoint(of.id)
  if (outcome.kind === 'off') throw isOff()
  const message = await findMessage(storage.read, of.id, outcome.messageId)
  if (!message) throw noEndpoint(of.id)
  return messageView(message, undefined, { now: clock.now(), restUntil: 0 })
}

export async function resend(needs: SendingNeeds, of: Named, messageId: string): Promise<MessageDetails> {
  const { kind } = await needs.storage.write(sendAgain, { ...of, messageId, now: needs.clock.now() })
  if (kind === 'missing') throw noEndpoint(of.id)
  if (kind === 'off') throw isOff()
  return showMessage(needs, of, messageId)
}

const isOff = () => conflict('This endpoint is switched off: switch it on first.')

/** Newest first, a page at a time. */
export async function listDeliveries(
  { storage, clock }: ReadNeeds,
  of: Named,
  page: { before?: number | undefined; limit: number },
): Promise<MessageView[]> {
  const { id } = await requireEndpoint({ storage }, of)
  const messages = await listMessages(storage.read, id, page)
  const attempts = await listAttempts(
    storage.read,
    id,
    messages.map((message) => message.id),
  )
  const newest = new Map(attempts.toReversed().map((attempt) => [attempt.message_id, attempt]))
  const times = { now: clock.now(), restUntil: await findRestUntil(storage.read, id) }
  return messages.map((message) => messageView(message, newest.get(message.id), times))
}

export async function showMessage({ storage, clock }: ReadNeeds, of: Named, messageId: string) {
  await requireEndpoint({ storage }, of)
  const message = await findMessage(storage.read, of.id, messageId)
  if (!message) throw notFound('This endpoint has no such message, or no longer: the newest thousand are kept.')
  const log = await listAttempts(storage.read, of.id, [messageId])
  return messageDetails(message, log, { now: clock.now(), restUntil: await findRestUntil(storage.read, of.id) })
}
