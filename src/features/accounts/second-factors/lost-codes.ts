import '../tables.ts'
import type { AuditNote } from '../../../platform/storage/audit-note.ts'
import type { Db } from '../../../platform/storage/tables.ts'

interface LostCodes {
  id: string
  account_id: string
  name: string
}

/**
 * For the transaction that gives a master key up: apps whose codes nobody can check any more. They stay, so that the
 * password alone opens the account no more than before: a passkey or a recovery code, which are no secrets here, does.
 */
export async function loseCodes(db: Db): Promise<LostCodes[]> {
  // Whoever was about to add an app begins again.
  await db.deleteFrom('factor_challenges').where('purpose', '=', 'add-codes').execute()
  return db
    .updateTable('second_factors')
    .set({ secret: null, last_step: null })
    .where('secret', 'is not', null)
    .returning(['id', 'account_id', 'name'])
    .execute()
}

/** What is left of such an app. */
export const isLost = ({ kind, secret }: { kind: string; secret: string | null }) => kind === 'codes' && secret === null

export const noteOfLost = ({ id, account_id: accountId, name }: LostCodes): AuditNote => ({
  verb: 'second-factor.lose',
  subject: id,
  accountId,
  details: { name },
})

/** Addresses of accounts that have nothing left but an app that is lost. */
export async function listLockedOut(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('email')
    .where('id', 'in', (eb) => eb.selectFrom('second_factors').select('account_id'))
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('second_factors')
        .select('account_id')
        .where((or) => or.or([or('kind', '=', 'passkey'), or('secret', 'is not', null)])),
    )
    .where('id', 'not in', (eb) => eb.selectFrom('recovery_codes').select('account_id'))
    .orderBy('email')
    .execute()
  return rows.map(({ email }) => email)
}
