import './tables.ts'
import type { Db } from '../../platform/storage/tables.ts'

export async function ensureIssuance(db: Db, hostname: string, now: number): Promise<void> {
  const empty = { issuance_order: null, sealed_key: null, failures: 0, attempted_at: null, problem: null }
  await db
    .insertInto('issuances')
    .values({ hostname, since: now, ...empty })
    .onConflict((conflict) => conflict.column('hostname').doNothing())
    .execute()
}

export async function forgetAnswers(db: Db, hostname: string): Promise<void> {
  await db.deleteFrom('challenge_answers').where('hostname', '=', hostname).execute()
}
