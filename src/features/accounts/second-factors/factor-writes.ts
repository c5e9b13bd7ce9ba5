import '../tables.ts'
import { defineWrite } from '../../../platform/storage/storage.ts'
import type { Db, Tables } from '../../../platform/storage/tables.ts'
import { lockAccount } from '../queries.ts'
import { countRecoveryCodes, listFactorsOfAccount } from './factor-queries.ts'
import { isLost } from './lost-codes.ts'

export type FactorRow = Tables['second_factors']
type ChallengeRow = Tables['factor_challenges']

const FACTORS_PER_ACCOUNT_MAX = 20
/** More guesses than that need a new ticket, and the password again. */
const GUESSES_PER_CHALLENGE = 5

export interface NewChallenge {
  challenge: ChallengeRow
  /** Of the account whose password was right; undefined where none was asked for. */
  knew: Pick<Tables['accounts'], 'id' | 'password_hash'> | undefined
}

/** Kept in the database, so that another instance may take the answer. */
export const insertChallenge = defineWrite(
  'accounts.insertFactorChallenge',
  async (db, { challenge, knew }: NewChallenge, engine) => {
    // While the password was being checked it may have been changed, which ended the questions that there were.
    const account = knew && (await lockAccount(db, engine, knew.id))
    if (account?.password_hash !== knew?.password_hash) return { kind: 'stale' as const }
    await db.deleteFrom('factor_challenges').where('expires_at', '<=', challenge.created_at).execute()
    await db.insertInto('factor_challenges').values(challenge).execute()
    return { kind: 'open' as const }
  },
  // A question changes nothing.
  { note: () => undefined },
)

/** Counts a wrong answer; the last one ends the challenge. */
export const failChallenge = defineWrite(
  'accounts.failFactorChallenge',
  async (db, tokenHash: string) => {
    const mine = db.deleteFrom('factor_challenges').where('token_hash', '=', tokenHash)
    await mine.where('failures', '>=', GUESSES_PER_CHALLENGE - 1).execute()
    await db
      .updateTable('factor_challenges')
      .set((eb) => ({ failures: eb('failures', '+', 1) }))
      .where('token_hash', '=', tokenHash)
      .execute()
  },
  { note: () => undefined },
)

/**
 * The first factor brings recovery codes, and ends every other session: they were opened without it. A challenge is
 * answered once, whoever races.
 */
export const insertFactor = defineWrite(
  'accounts.insertSecondFactor',
  async (
    db,
    input: { factor: FactorRow; challengeHash: string; recoveryHashes: readonly string[]; sessionId: string },
    engine,
  ) => {
    const { factor } = input
    await lockAccount(db, engine, factor.account_id)
    if (!(await takeChallenge(db, input.challengeHash))) return { kind: 'spent' as const }
    const others = await countFactors(db, factor.account_id)
    if (others >= FACTORS_PER_ACCOUNT_MAX) return { kind: 'too-many' as const }
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('second_factors')
      .values(factor)
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows !== 1n) return { kind: 'in-use' as const }
    if (others > 0) return { kind: 'added' as const, isFirst: false }
    await replaceRecoveryCodes(db, factor.account_id, input.recoveryHashes)
    await db
      .deleteFrom('sessions')
      .where('account_id', '=', factor.account_id)
      .where('id', '!=', input.sessionId)
      .execute()
    return { kind: 'added' as const, isFirst: true }
  },
  {
    note: ({ factor: { id, account_id: accountId, kind, name } }, outcome) =>
      outcome.kind === 'added'
        ? { verb: 'second-factor.add', subject: id, accountId, details: { kind, name } }
        : undefined,
  },
)

export const removeFactorRow = defineWrite(
  'accounts.removeSecondFactor',
  async (db, { accountId, id }: { accountId: string; id: string }, engine) => {
    // One that is added or removed beside this one would be counted wrongly, and be left without recovery codes.
    await lockAccount(db, engine, accountId)
    const factors = await listFactorsOfAccount(db, accountId)
    const removed = factors.find((factor) => factor.id === id)
    if (!removed) return { kind: 'missing' as const }
    const left = factors.filter((factor) => factor !== removed)
    // An app whose codes are lost still asks for a second step, and answers none.
    const opensNothing = left.length > 0 && left.every(isLost) && (await countRecoveryCodes(db, accountId)) === 0
    if (opensNothing && !isLost(removed)) return { kind: 'last-way-in' as const }
    await db.deleteFrom('second_factors').where('id', '=', id).execute()
    // Recovery codes stand in for a factor, and without one there is nothing to stand in for.
    if (left.length === 0) await db.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
    return { kind: 'removed' as const }
  },
  {
    note: ({ accountId, id }, { kind }) =>
      kind === 'removed' ? { verb: 'second-factor.remove', subject: id, accountId } : undefined,
  },
)

export const renewRecoveryCodes = defineWrite(
  'accounts.renewRecoveryCodes',
  async (db, { accountId, hashes }: { accountId: string; hashes: readonly string[] }, engine) => {
    await lockAccount(db, engine, accountId)
    if ((await countFactors(db, accountId)) === 0) return { kind: 'no-factor' as const }
    await replaceRecoveryCodes(db, accountId, hashes)
    return { kind: 'renewed' as const }
  },
  {
    note: ({ accountId }, { kind }) =>
      kind === 'renewed' ? { verb: 'recovery-codes.renew', subject: accountId, accountId } : undefined,
  },
)

/** True for one caller: a recovery code is used up by being right. */
export async function spendRecoveryCode(db: Db, accountId: string, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** True for one caller: a code of a step that was used, or a later one, is worth nothing. */
export async function spendStep(db: Db, factorId: string, step: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factors')
    .set({ last_step: step, last_used_at: now })
    .where('id', '=', factorId)
    .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False where the passkey has been removed since it was checked. */
export async function usePasskey(db: Db, factorId: string, signCount: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factors')
    .set({ sign_count: signCount, last_used_at: now })
    .where('id', '=', factorId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** True for one caller. */
export async function takeChallenge(db: Db, tokenHash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('factor_challenges')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

async function replaceRecoveryCodes(db: Db, accountId: string, hashes: readonly string[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
  const rows = hashes.map((code_hash) => ({ account_id: accountId, code_hash }))
  await db.insertInto('recovery_codes').values(rows).execute()
}

export async function countFactors(db: Db, accountId: string): Promise<number> {
  const { factors } = await db
    .selectFrom('second_factors')
    .select((eb) => eb.fn.countAll<number>().as('factors'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return factors
}
