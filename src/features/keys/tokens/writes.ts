import './tables.ts'
import type { Insertable } from 'kysely'
import { defineWrite } from '../../../platform/storage/storage.ts'
import type { Db, Tables } from '../../../platform/storage/tables.ts'
import { takeTurn } from '../../../platform/storage/turns.ts'
import { countLiveTokens, findToken } from './queries.ts'

/** Tokens of a project that work at the same time: one for each pipeline, too few to fill a table with. */
export const LIVE_TOKENS_MAX = 50

export type TokenRow = Insertable<Tables['tokens']>

export const insertToken = defineWrite(
  'tokens.insert',
  async (db, row: TokenRow, engine) => {
    await takeTurn(db, engine, `tokens of ${row.project_id}`)
    const live = await countLiveTokens(db, row.project_id, row.created_at)
    if (live >= LIVE_TOKENS_MAX) return { kind: 'too_many' as const }
    await db.insertInto('tokens').values(row).execute()
    return { kind: 'created' as const }
  },
  {
    note: ({ id, project_id: projectId, name, scopes }, { kind }) =>
      kind === 'created' ? { verb: 'token.create', subject: id, projectId, details: { name, scopes } } : undefined,
  },
)

export const revokeTokenRow = defineWrite(
  'tokens.revoke',
  async (db, input: { projectId: number; id: string; now: number }) => {
    const token = await findToken(db, input.projectId, input.id)
    if (!token) return { kind: 'missing' as const }
    const revoked_at = token.revoked_at ?? input.now
    const works = db
      .updateTable('tokens')
      .set({ revoked_at })
      .where('id', '=', token.id)
      .where('revoked_at', 'is', null)
    const { numUpdatedRows } = await works.executeTakeFirst()
    const kind = numUpdatedRows === 0n ? ('revoked-already' as const) : ('revoked' as const)
    return { kind, token: { ...token, revoked_at } }
  },
  {
    note: ({ id, projectId }, { kind }) =>
      kind === 'revoked' ? { verb: 'token.revoke', subject: id, projectId } : undefined,
  },
)

/** Worth no audit entry: what is done with a token leaves its own. */
export const touchToken = defineWrite('tokens.touch', async (db, { id, now }: { id: string; now: number }) => {
  await db.updateTable('tokens').set({ last_used_at: now }).where('id', '=', id).execute()
})

interface MakersTokens {
  projectId: number
  madeBy: string
}

const liveOf = (db: Db, { projectId, madeBy }: MakersTokens) =>
  db
    .updateTable('tokens')
    .where('project_id', '=', projectId)
    .where('made_by', '=', madeBy)
    .where('revoked_at', 'is', null)

/** Ends what a member has made who is none any more; says how many. */
export async function revokeTokensOf(db: Db, own: MakersTokens, now: number): Promise<number> {
  return Number((await liveOf(db, own).set({ revoked_at: now }).executeTakeFirst()).numUpdatedRows)
}

type TokenRole = NonNullable<Tables['tokens']['role_max']>

/**
 * They act in the name of another member from now on, who may be able to do more: whoever made them may have kept
 * them, and gains nothing. `orLess` are the roles up to the one that the maker had.
 */
export async function handOverTokens(
  db: Db,
  own: MakersTokens,
  { taker, role, orLess }: { taker: string; role: TokenRole; orLess: readonly TokenRole[] },
): Promise<number> {
  const handed = liveOf(db, own).set((eb) => ({
    made_by: taker,
    role_max: eb.case().when('role_max', 'in', orLess).then(eb.ref('role_max')).else(role).end(),
  }))
  return Number((await handed.executeTakeFirst()).numUpdatedRows)
}
