import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { DAY_MS } from '../clock.ts'
import { invalid, PetstoreError } from '../errors.ts'
import type { Int64 } from '../int64.ts'
import { deleteSome, deleteSomeOf } from '../storage/delete-some.ts'
import type { Db, Engine } from '../storage/tables.ts'
import { takeTurn } from '../storage/turns.ts'
import type { Tenant } from '../tenant.ts'
import { parseJsonBody } from './json-body.ts'

declare module '../storage/tables.ts' {
  interface Tables {
    idempotency_keys: {
      project_id: number
      environment: string
      key: string
      fingerprint: string
      answer: string
      expires_at: number
    }
  }
}

const IDEMPOTENCY_LIFE_MS = DAY_MS

/** One use of an idempotency key: plain data, so that it can travel into a write. */
export interface IdempotentUse {
  key: string
  /** Of the operation and the validated body: the same key with another one is a mistake of the caller. */
  fingerprint: string
  expiresAt: number
}

/** Reads the header in either form: a quoted structured string, or bare as most clients send it. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const text = String(header).trim()
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)
  const key = quoted?.[1] === undefined ? text : quoted[1].replaceAll(/\\(["\\])/g, '$1')
  if (/^[\x20-\x7e]{1,255}$/.test(key) && (quoted || !text.startsWith('"'))) return key
  throw invalid('Idempotency-Key must be 1 to 255 printable ASCII characters, bare or in double quotes.')
}

export function idempotentUse(key: string, operation: string, body: unknown, now: number): IdempotentUse {
  const text = JSON.stringify([operation, body], (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
  return { key, fingerprint: hash('sha256', text, 'base64url'), expiresAt: now + IDEMPOTENCY_LIFE_MS }
}

export type OnceOutcome = { kind: 'mismatch' } | { kind: 'done'; answer: string; replayed: boolean }

/** Whether something was done, and not just told again. */
export const isNew = (outcome: { kind: string }): outcome is Extract<OnceOutcome, { kind: 'done' }> =>
  outcome.kind === 'done' && !(outcome as Extract<OnceOutcome, { kind: 'done' }>).replayed

/** Of what was made, with every digit. */
export const idOfAnswer = (answer: string) => (parseJsonBody(Buffer.from(answer)) as { id: Int64 }).id

/**
 * Inside a write's transaction: does `work` and keeps its answer under the key, or gives the answer that was
 * kept. The row and its answer are committed together, so that neither exists without the other. Nothing is kept
 * of a refusal, so that a later try may succeed.
 */
export async function answerOnce<Refusal extends { kind: string } = never>(
  db: Db,
  engine: Engine,
  { tenant, use, now }: { tenant: Tenant; use: IdempotentUse; now: number },
  work: () => Promise<string | Refusal>,
): Promise<OnceOutcome | Refusal> {
  // On PostgreSQL another instance may be in the middle of the same key: it finishes, or it is gone and loses its turn.
  await takeTurn(db, engine, JSON.stringify([tenant.projectId, tenant.environment, use.key]))
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'answer'])
    .where('project_id', '=', tenant.projectId)
    .where('environment', '=', tenant.environment)
    .where('key', '=', use.key)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (row && row.fingerprint !== use.fingerprint) return { kind: 'mismatch' }
  if (row) return { kind: 'done', answer: row.answer, replayed: true }
  const answer = await work()
  if (typeof answer !== 'string') return answer
  await keepAnswer(db, tenant, use, answer)
  return { kind: 'done', answer, replayed: false }
}

async function keepAnswer(db: Db, tenant: Tenant, use: IdempotentUse, answer: string): Promise<void> {
  const { key, fingerprint, expiresAt: expires_at } = use
  const { projectId: project_id, environment } = tenant
  await db
    .insertInto('idempotency_keys')
    .values({ project_id, environment, key, fingerprint, answer, expires_at })
    // Only an expired row can stand in the way.
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'environment', 'key']).doUpdateSet({ fingerprint, answer, expires_at }),
    )
    .execute()
}

const KEY = ['project_id', 'environment', 'key'] as const

/** A step; whether there was anything. */
export function deleteExpiredIdempotencyKeys(db: Db, now: number): Promise<boolean> {
  const isOver = sql`expires_at <= ${now}`
  return deleteSome(db, { table: 'idempotency_keys', key: KEY, where: isOver, still: isOver })
}

/** Keys whose first request is still running in this process. */
export class RunningKeys {
  readonly #running = new Set<string>()

  /** Runs `work` unless the same key is running already, and returns its answer or the refusal that is due. */
  async once(tenant: Tenant, use: IdempotentUse, work: () => Promise<OnceOutcome>) {
    const name = `${tenant.projectId} ${tenant.environment} ${use.key}`
    if (this.#running.has(name)) throw stillRunning()
    this.#running.add(name)
    try {
      const outcome = await work()
      if (outcome.kind === 'mismatch') throw mismatch()
      return outcome
    } finally {
      this.#running.delete(name)
    }
  }
}

/** Retry-After tells clients that this conflict, unlike others, passes by itself. */
const stillRunning = () =>
  new PetstoreError(
    'conflict',
    'The first request with this Idempotency-Key is still running: send it again in a moment.',
    {
      headers: { 'Retry-After': '1' },
    },
  )

const mismatch = () =>
  new PetstoreError(
    'idempotency_mismatch',
    'This Idempotency-Key was used with another request: take a new key for each request that differs.',
  )

export const deleteSomeIdempotencyKeys = deleteSomeOf('idempotency_keys', KEY)
