import '../tables.ts'
import type { ChallengePurpose } from '../tables.ts'
import type { Db } from '../../../platform/storage/tables.ts'

export function listFactorsOfAccount(db: Db, accountId: string) {
  return db
    .selectFrom('second_factors')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export function findPasskey(db: Db, credentialId: string) {
  return db
    .selectFrom('second_factors')
    .innerJoin('accounts', 'accounts.id', 'second_factors.account_id')
    .select(['second_factors.id as factorId', 'second_factors.public_key', 'second_factors.sign_count'])
    .selectAll('accounts')
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
}

export function findChallenge(db: Db, challenge: { tokenHash: string; purpose: ChallengePurpose; now: number }) {
  return db
    .selectFrom('factor_challenges')
    .selectAll()
    .where('token_hash', '=', challenge.tokenHash)
    .where('purpose', '=', challenge.purpose)
    .where('expires_at', '>', challenge.now)
    .executeTakeFirst()
}

export async function countRecoveryCodes(db: Db, accountId: string): Promise<number> {
  const { codes } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('codes'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return codes
}

export async function hasRecoveryCode(db: Db, accountId: string, codeHash: string): Promise<boolean> {
  const found = await db
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return found !== undefined
}
