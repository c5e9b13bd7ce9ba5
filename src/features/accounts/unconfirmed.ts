import './tables.ts'
import { DAY_MS } from '../../platform/clock.ts'
import { type AuditedStorage, defineWrite } from '../../platform/storage/storage.ts'

/** The link in the mail works for a day, and can be asked for again and again until then. */
const LIFE_MS = 7 * DAY_MS
/** A transaction of a few milliseconds: other writers hardly notice. */
const ACCOUNTS_PER_STEP = 100
const STEPS_MAX = 100

/** With their sessions and links. Whoever the operator has made a member stays, and so does their address. */
const deleteUnconfirmed = defineWrite(
  'accounts.deleteUnconfirmed',
  async (db, { before }: { before: number }) => {
    const due = db
      .selectFrom('accounts')
      .select('id')
      .where('must_confirm', '=', 1)
      .where('operator', '=', 0)
      .where('created_at', '<', before)
      .where('id', 'not in', db.selectFrom('members').select('account_id'))
      .limit(ACCOUNTS_PER_STEP)
    // Asked again: whoever has confirmed meanwhile stays.
    const mine = db.deleteFrom('accounts').where('id', 'in', due).where('must_confirm', '=', 1)
    return mine.returning(['id', 'email']).execute()
  },
  {
    note: (_, deleted) =>
      deleted.map(({ id: accountId, email }) => ({ verb: 'account.expire', subject: email, accountId })),
  },
)

/** Where there is mail: takes away accounts whose address nobody has confirmed within seven days of signing up. */
export async function sweepUnconfirmed(storage: AuditedStorage, now: number): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    const deleted = await storage.write(deleteUnconfirmed, { before: now - LIFE_MS })
    if (deleted.length < ACCOUNTS_PER_STEP) return
  }
}
