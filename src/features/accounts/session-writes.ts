import './tables.ts'
import type { Actor } from '../../platform/storage/audit-note.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Tables } from '../../platform/storage/tables.ts'
import { lockAccount } from './queries.ts'
import { countFactors } from './second-factors/factor-writes.ts'

export type SessionRow = Tables['sessions']

/** The actor of a change by which somebody shows who they are. */
export const personOf = ({ id, email }: { id: string; email: string }): Actor => ({ kind: 'account', id, name: email })

/** A list that a person can still read; the ones unused for longest make room. */
const SESSIONS_PER_ACCOUNT_MAX = 50

export const openSession = defineWrite(
  'accounts.openSession',
  async (
    db,
    input: { session: SessionRow; passwordHash: string; endTokenHash: string | undefined; newDevice: boolean },
    engine,
  ) => {
    // While the password was being checked it may have been changed, or a first factor added.
    const account = await lockAccount(db, engine, input.session.account_id)
    if (account?.password_hash !== input.passwordHash) return { kind: 'stale' as const }
    if ((await countFactors(db, account.id)) > 0) return { kind: 'needs-factor' as const }
    if (input.endTokenHash) await db.deleteFrom('sessions').where('token_hash', '=', input.endTokenHash).execute()
    await insertSession(db, input.session)
    return { kind: 'opened' as const, email: account.email }
  },
  {
    note: ({ session, newDevice }, outcome) => {
      if (outcome.kind !== 'opened') return undefined
      const { id, account_id: accountId, network, user_agent: userAgent } = session
      const actor = personOf({ id: accountId, email: outcome.email })
      return { verb: 'session.open', subject: id, accountId, details: { network, userAgent, newDevice }, actor }
    },
  },
)

export async function insertSession(db: Db, session: SessionRow): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', session.created_at).execute()
  await db.insertInto('sessions').values(session).execute()
  const kept = db
    .selectFrom('sessions')
    .select('id')
    .where('account_id', '=', session.account_id)
    .orderBy('last_seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(SESSIONS_PER_ACCOUNT_MAX)
  await db
    .deleteFrom('sessions')
    .where('account_id', '=', session.account_id)
    .where('id', 'not in', kept)
    .where('id', '!=', session.id)
    .execute()
}

/** Whoever gave the old password has not finished signing in. */
export async function forgetChallenges(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('factor_challenges').where('account_id', '=', accountId).execute()
}

/** One session of the account, or all but `except`. */
export const endSessions = defineWrite(
  'accounts.endSessions',
  async (db, input: { accountId: string; id: string } | { accountId: string; except: string }) => {
    const mine = db.deleteFrom('sessions').where('account_id', '=', input.accountId)
    const { numDeletedRows } = await (
      'id' in input ? mine.where('id', '=', input.id) : mine.where('id', '!=', input.except)
    ).executeTakeFirst()
    return { ended: Number(numDeletedRows) }
  },
  {
    note: (input, { ended }) => {
      const subject = 'id' in input ? input.id : 'all others'
      return ended > 0 ? { verb: 'session.end', subject, accountId: input.accountId, details: { ended } } : undefined
    },
  },
)

export const touchSession = defineWrite(
  'accounts.touchSession',
  async (db, { id, now, expiresAt }: { id: string; now: number; expiresAt: number }) => {
    await db.updateTable('sessions').set({ last_seen_at: now, expires_at: expiresAt }).where('id', '=', id).execute()
  },
  // It changes nothing that anybody would ask about.
  { note: () => undefined },
)
