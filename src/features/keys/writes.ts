import './tables.ts'
import { sql } from 'kysely'
import type { Environment } from '../../platform/http/operation.ts'
import type { AuditNote } from '../../platform/storage/audit-note.ts'
import { publishChange } from '../../platform/storage/change-feed.ts'
import { deleteSomeOf } from '../../platform/storage/delete-some.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import { takeTurn } from '../../platform/storage/turns.ts'
import { countActiveKeys, findKey } from './queries.ts'

export const KEYS_TOPIC = 'keys'

export interface NewKeyRow {
  id: string
  project_id: number
  environment: Environment
  hash: string
  hint: string
  name: string
  scopes: string
  created_at: number
  expires_at: number | null
  rotated_from: string | null
  made_by: string | null
}

/** Keys of a project that work at the same time: enough for every machine of a shop, too few to fill a table with. */
export const LIVE_KEYS_MAX = 100
/** The last moment whose year has four digits, as everybody who reads our times expects. */
export const EXPIRY_MAX = Date.UTC(10_000, 0, 1) - 1
/** Rotation has two keys for a while, and must not wait for room. */
const LIVE_KEYS_IN_ROTATION_MAX = 2 * LIVE_KEYS_MAX

export const insertKey = defineWrite(
  'keys.insert',
  async (db, row: NewKeyRow, engine) => {
    const live = await countInTurn(db, engine, row.project_id, row.created_at)
    if (live >= LIVE_KEYS_MAX) return { kind: 'too_many' as const }
    await insertKeyRows(db, [row])
    return { kind: 'created' as const }
  },
  {
    note: ({ id, project_id: projectId, environment, name, scopes }, { kind }) =>
      kind === 'created'
        ? { verb: 'key.create', subject: id, projectId, details: { environment, name, scopes } }
        : undefined,
  },
)

/** Those who mint for one project take turns, so that each counts what the others have minted. */
async function countInTurn(db: Db, engine: Engine, projectId: number, now: number): Promise<number> {
  await takeTurn(db, engine, `keys of ${projectId}`)
  return countActiveKeys(db, projectId, now)
}

export const revokeKeyRow = defineWrite(
  'keys.revoke',
  async (db, input: { projectId: number; id: string; now: number }, engine) => {
    const key = await findKey(db, input.projectId, input.id)
    if (!key) return { kind: 'missing' as const }
    const { numUpdatedRows } = await db
      .updateTable('keys')
      .set({ revoked_at: input.now })
      .where('id', '=', key.id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    const revoked = { ...key, revoked_at: key.revoked_at ?? input.now }
    if (numUpdatedRows === 0n) return { kind: 'revoked-already' as const, key: revoked }
    await publishChange(db, engine, KEYS_TOPIC, key.hash, input.now)
    return { kind: 'revoked' as const, key: revoked }
  },
  {
    note: ({ projectId }, outcome) =>
      outcome.kind === 'revoked' ? noteOfRevoked({ projectId, ...outcome.key }) : undefined,
  },
)

export interface RevokedKey {
  id: string
  environment: Environment
  name: string
}

export const noteOfRevoked = ({ projectId, id, ...key }: RevokedKey & { projectId: number }): AuditNote => ({
  verb: 'key.revoke',
  subject: id,
  projectId,
  details: { environment: key.environment, name: key.name },
})

/**
 * The successor copies what the old key may do, and for how long it was given; the old one expires after the overlap,
 * not later than it would have.
 */
export const rotateKeyRow = defineWrite(
  'keys.rotate',
  async (
    db,
    input: {
      projectId: number
      id: string
      successor: Record<Environment, Pick<NewKeyRow, 'id' | 'hash' | 'hint'>>
      oldExpiresAt: number
      madeBy: string | undefined
      now: number
    },
    engine,
  ) => {
    const live = await countInTurn(db, engine, input.projectId, input.now)
    const old = await findKey(db, input.projectId, input.id)
    if (!old) return { kind: 'missing' as const }
    if (old.revoked_at !== null || (old.expires_at !== null && old.expires_at <= input.now)) {
      return { kind: 'dead' as const }
    }
    if (live >= LIVE_KEYS_IN_ROTATION_MAX) return { kind: 'too_many' as const }
    const lifetime_ms = old.lifetime_ms ?? (old.expires_at ?? old.created_at) - old.created_at
    const row: NewKeyRow = {
      ...input.successor[old.environment],
      project_id: old.project_id,
      environment: old.environment,
      name: old.name,
      scopes: old.scopes,
      created_at: input.now,
      expires_at: lifetime_ms === 0 ? null : Math.min(input.now + lifetime_ms, EXPIRY_MAX),
      rotated_from: old.id,
      made_by: input.madeBy ?? null,
    }
    const expires_at = Math.min(old.expires_at ?? Infinity, input.oldExpiresAt)
    const works = db.updateTable('keys').where('id', '=', old.id).where('revoked_at', 'is', null)
    // Before the successor, which refers to the project; whoever deletes that has its keys first.
    const { numUpdatedRows } = await works.set({ expires_at, lifetime_ms }).executeTakeFirst()
    if (numUpdatedRows === 0n) return { kind: 'dead' as const }
    await insertKeyRows(db, [row])
    await publishChange(db, engine, KEYS_TOPIC, old.hash, input.now)
    return { kind: 'rotated' as const, key: row, oldExpiresAt: expires_at }
  },
  {
    note({ id, projectId }, outcome) {
      if (outcome.kind !== 'rotated') return undefined
      const { oldExpiresAt } = outcome
      const { id: successor, environment, name } = outcome.key
      return { verb: 'key.rotate', subject: id, projectId, details: { environment, name, successor, oldExpiresAt } }
    },
  },
)

export async function insertKeyRows(db: Db, rows: readonly NewKeyRow[]): Promise<void> {
  await db
    .insertInto('keys')
    .values(rows.map((row) => ({ ...row, revoked_at: null })))
    .execute()
}

export async function revokeKeysOfProject(db: Db, engine: Engine, projectId: number, now: number): Promise<void> {
  const revoked = await db
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('project_id', '=', projectId)
    .where('revoked_at', 'is', null)
    .returning('hash')
    .execute()
  for (const { hash } of revoked) await publishChange(db, engine, KEYS_TOPIC, hash, now)
}

interface MakersKeys {
  projectId: number
  madeBy: string
}

/** Ends what a member has made who is none any more; returns those that worked until now. */
export async function revokeKeysOf(
  db: Db,
  engine: Engine,
  { projectId, madeBy }: MakersKeys,
  now: number,
): Promise<RevokedKey[]> {
  const revoked = await db
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('project_id', '=', projectId)
    .where('made_by', '=', madeBy)
    .where('revoked_at', 'is', null)
    .returning(['id', 'environment', 'name', 'hash', 'expires_at'])
    .execute()
  for (const { hash } of revoked) await publishChange(db, engine, KEYS_TOPIC, hash, now)
  return revoked.filter(({ expires_at: expiresAt }) => expiresAt === null || expiresAt > now)
}

/** Another member answers for them from now on. */
export async function handOverKeys(db: Db, { projectId, madeBy }: MakersKeys, taker: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('keys')
    .set({ made_by: taker })
    .where('project_id', '=', projectId)
    .where('made_by', '=', madeBy)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export const deleteSomeUsage = deleteSomeOf('key_usage', ['key_id', 'operation', 'hour'])

export interface UsageRow {
  key_id: string
  project_id: number
  environment: Environment
  operation: string
  hour: number
  calls: number
  failures: number
  last_at: number
}

export const addUsage = defineWrite('keys.addUsage', async (db, rows: UsageRow[]) => {
  // In one order everywhere: two instances that add to the same rows wait for each other, and never in a circle.
  const ordered = rows.toSorted((a, b) => (a.key_id + a.operation < b.key_id + b.operation ? -1 : 1))
  for (const [id, ofKey] of Map.groupBy(ordered, (row) => row.key_id)) {
    const at = Math.max(...ofKey.map((row) => row.last_at))
    // A key of a project that has been deleted meanwhile has no row to count for.
    if (!(await setLastUse(db, id, at))) continue
    for (const row of ofKey) await addToHour(db, row)
  }
})

/** False where there is no such key. */
async function setLastUse(db: Db, id: string, at: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into key_last_uses (key_id, at) select id, ${at} from keys where id = ${id}
    on conflict (key_id) do update set at = excluded.at`.execute(db)
  return numAffectedRows === 1n
}

async function addToHour(db: Db, row: UsageRow): Promise<void> {
  await db
    .insertInto('key_usage')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['key_id', 'operation', 'hour']).doUpdateSet((eb) => ({
        calls: eb('key_usage.calls', '+', row.calls),
        failures: eb('key_usage.failures', '+', row.failures),
        last_at: row.last_at,
      })),
    )
    .execute()
}
