import { type Clock, MINUTE_MS, SECOND_MS } from '../../platform/clock.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { findDueMessages, findMessage } from '../../platform/outbox/messages.ts'
import { type AuditedStorage, defineWrite } from '../../platform/storage/storage.ts'
import { recordForwarded, stayListening, trimLog } from './delivery-writes.ts'
import { insertEndpoint, LISTENERS_MAX } from './endpoint-writes.ts'
import { EVENT_TYPES } from './event-types.ts'
import { bodyOf, headersOf } from './message-body.ts'
import { type SecretSealer, secretOf, signingSecrets } from './secrets.ts'
import { mintSecret } from './signature.ts'
import { type EndpointInput, newEndpointRow, noProject, requireEndpoint, typesOf } from './webhooks.ts'

export interface ListenNeeds {
  storage: AuditedStorage
  clock: Clock
  sealer: SecretSealer
}

/** A command line that has neither asked nor told anything for so long is gone. */
const GONE_AFTER_MS = 2 * MINUTE_MS
/** Signed when they are fetched: receivers refuse what comes minutes later. */
export const MESSAGES_MAX = 50
const LOOK_MS = SECOND_MS / 2
/** Less than what proxies wait for a silent server. */
const WAIT_MAX_MS = 20 * SECOND_MS

export interface ListenerView {
  id: string
  /** Signs what it fetches, as that of an endpoint would. */
  secret: string
}

/** An endpoint without an address: whoever made it fetches its messages. */
export async function openListener(
  { storage, clock, sealer }: ListenNeeds,
  projectId: number,
  { events = EVENT_TYPES, environment }: Pick<EndpointInput, 'events' | 'environment'>,
): Promise<ListenerView> {
  const now = clock.now()
  const row = newEndpointRow({ projectId, types: typesOf(events), environment, now })
  const secret = mintSecret()
  const sealed_secret = sealer.seal(secretOf(row.id), secret)
  const listener = { ...row, url: null, name: '', sealed_secret, listening_until: now + GONE_AFTER_MS }
  const { kind } = await storage.write(insertEndpoint, { row: listener, now })
  if (kind === 'no_project') throw noProject()
  if (kind === 'too_many') {
    throw conflict(`${LISTENERS_MAX} command lines listen to this project, which is the most: end one of them.`)
  }
  return { id: row.id, secret }
}

export interface FetchedMessage {
  id: string
  type: string
  headers: Record<string, string>
  body: string
}

const recordAsking = defineWrite(
  'webhooks.asking',
  (db, { id, until }: { id: string; until: number }) => stayListening(db, id, until),
  // Being there is no change.
  { note: () => undefined },
)

/** Of each listener one request waits: whoever asks again has given up the one before, or asks twice for the same. */
export class ListenerWaits {
  readonly #newest = new Map<string, AbortController>()

  /** Ends the one before. */
  begin(id: string): { signal: AbortSignal } & Disposable {
    this.#newest.get(id)?.abort()
    const wait = new AbortController()
    this.#newest.set(id, wait)
    return {
      signal: wait.signal,
      [Symbol.dispose]: () => void (this.#newest.get(id) === wait && this.#newest.delete(id)),
    }
  }
}

interface Wait {
  waitMs: number
  /** Messages at once. */
  limit?: number | undefined
  /** Any of them ends it: there is nobody to answer, or nobody who would. */
  signals: readonly AbortSignal[]
  /** Throws where whoever began to wait may no longer know what there is. */
  judgeAgain(): Promise<void>
}

/** What is due, as soon as something is; or nothing, after a while. Of each resource one message, until it is told. */
export async function fetchMessages(
  { storage, clock, sealer, waits }: ListenNeeds & { waits: ListenerWaits },
  of: { projectId: number; id: string },
  { waitMs, limit = MESSAGES_MAX, signals, judgeAgain }: Wait,
): Promise<FetchedMessage[]> {
  const listener = await requireListener({ storage }, of)
  await storage.write(recordAsking, { id: of.id, until: clock.now() + GONE_AFTER_MS })
  using newest = waits.begin(of.id)
  const ended = AbortSignal.any([newest.signal, ...signals])
  const endsAt = clock.now() + Math.min(waitMs, WAIT_MAX_MS)
  for (let hasWaited = false; ; hasWaited = true) {
    const now = clock.now()
    const look = { now, resourcesMax: limit, except: new Set<string>() }
    const { due } = await findDueMessages(storage.read, of.id, look)
    if (due.length > 0 || now >= endsAt) {
      if (hasWaited) await judgeAgain()
      const secrets = signingSecrets(sealer, listener, now)
      return due.map((message) => {
        const body = bodyOf(message)
        return { id: message.id, type: message.type, headers: headersOf(message, body, secrets, now), body }
      })
    }
    await clock.sleep(LOOK_MS, ended)
    if (ended.aborted) return []
  }
}

async function requireListener(needs: Pick<ListenNeeds, 'storage'>, of: { projectId: number; id: string }) {
  const listener = await requireEndpoint(needs, of)
  if (listener.url !== null) throw notFound('This endpoint has an address: its messages are sent there.')
  return listener
}

export interface ForwardResult {
  messageId: string
  url: string
  status: number | null
  error: string | null
  durationMs: number
}

/** What became of a message; it is not fetched again, whatever that was: somebody sits in front of it. */
export async function recordForward(
  { storage, clock }: Pick<ListenNeeds, 'storage' | 'clock'>,
  of: { projectId: number; id: string },
  { messageId, url, status, error, durationMs }: ForwardResult,
): Promise<void> {
  await requireListener({ storage }, of)
  const message = await findMessage(storage.read, of.id, messageId)
  if (!message) throw notFound('There is no such message.')
  const now = clock.now()
  const attempt = { at: now, url, address: null, signature: '', status, answer: null, error, duration_ms: durationMs }
  const delivered = status !== null && status < 300
  const listeningUntil = now + GONE_AFTER_MS
  await storage.write(recordForwarded, { message, attempt, delivered, now, listeningUntil })
  await storage.write(trimLog, { endpointId: of.id })
}
