import './tables.ts'
import { hurryWork } from '../../platform/work/lease.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import { CERTIFICATE_QUEUE } from '../domains/topics.ts'

export interface LostKeys {
  /** That were good. */
  certificates: number
  /** Of those, the ones that somebody wanted revoked: the account that could ask for it is lost. */
  revocations: number
  /** Under way. */
  orders: number
  /** Directories of authorities. */
  accounts: string[]
  /** The root of the internal CA. */
  root: boolean
}

/**
 * For the transaction that gives a master key up. Certificates end now rather than vanish: one that has ended is
 * renewed before names that never had one, and its people hear of it if that takes long. What an order had done is
 * given up by the next look at its name, which begins another.
 */
export async function loseKeys(db: Db, engine: Engine, now: number): Promise<LostKeys> {
  const good = await db
    .updateTable('certificates')
    .set({ not_after: now, renew_at: now, advice_due_at: null, advice: null })
    .where('not_after', '>', now)
    .returning(['hostname', 'revoke_for', 'revoked_at'])
    .execute()
  await db.updateTable('certificates').set({ sealed_key: '' }).execute()
  const orders = await db
    .updateTable('issuances')
    .set({ sealed_key: null })
    .where('sealed_key', 'is not', null)
    .returning('hostname')
    .execute()
  const accounts = await db.deleteFrom('acme_accounts').returning('directory_url').execute()
  const root = await db.deleteFrom('ca_roots').executeTakeFirst()
  const subjects = [...new Set([...good, ...orders].map(({ hostname }) => hostname))]
  await hurryWork(db, engine, { queue: CERTIFICATE_QUEUE, subjects, now })
  return {
    certificates: good.filter(({ revoked_at }) => revoked_at === null).length,
    revocations: good.filter(({ revoke_for, revoked_at }) => revoke_for !== null && revoked_at === null).length,
    orders: orders.length,
    accounts: accounts.map(({ directory_url }) => directory_url).toSorted(),
    root: root.numDeletedRows > 0n,
  }
}
