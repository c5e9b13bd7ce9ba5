import './tables.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import { type AccountRow, takeAddressTurn } from './account-writes.ts'
import { insertLinkToGive, type LinkByMail } from './mail/mailed-link.ts'
import { takeLink } from './member-writes.ts'
import { findAccountByEmail, lockAccount } from './queries.ts'
import { personOf } from './session-writes.ts'

interface NewAddress {
  accountId: string
  email: string
  /** Undefined where nobody can confirm an address, for lack of mail. */
  confirmedAt?: number
}

/** Every open link of the account ends: it may have been sent to the old address. */
async function setAddress(db: Db, engine: Engine, { accountId, email, confirmedAt }: NewAddress) {
  const before = (await lockAccount(db, engine, accountId)) as AccountRow
  await takeAddressTurn(db, engine, email)
  const holder = before.email === email ? before : await findAccountByEmail(db, email)
  if (holder && (holder.id !== accountId || confirmedAt === undefined)) return { kind: 'taken' as const }
  await db
    .updateTable('accounts')
    .set({ email, email_confirmed_at: confirmedAt ?? null, must_confirm: 0 })
    .where('id', '=', accountId)
    .execute()
  const links = db.deleteFrom('one_time_links').where('account_id', '=', accountId)
  await (holder ? links.where('kind', '=', 'email') : links).execute()
  return { kind: 'changed' as const, before }
}

/** Of an address that was never confirmed nobody knows whose it is: they are told nothing. */
const addressNote = (accountId: string, email: string, before: AccountRow) =>
  before.email === email
    ? { verb: 'account.confirm', subject: email, accountId }
    : {
        verb: 'account.address',
        subject: email,
        accountId,
        details: { from: before.email, neverConfirmed: before.must_confirm === 1 },
      }

export const changeAddressRow = defineWrite(
  'accounts.changeAddress',
  (db, input: NewAddress, engine) => setAddress(db, engine, input),
  {
    note: ({ accountId, email }, outcome) =>
      outcome.kind === 'changed' ? addressNote(accountId, email, outcome.before) : undefined,
  },
)

/** The link that confirms a new address; an earlier one stops working. */
export const insertAddressLink = defineWrite(
  'accounts.insertAddressLink',
  async (db, input: LinkByMail, engine) => {
    const { link } = input
    if (await findAccountByEmail(db, link.email as string)) return { kind: 'taken' as const }
    await db
      .deleteFrom('one_time_links')
      .where('account_id', '=', link.account_id)
      .where('kind', '=', 'email')
      .execute()
    await insertLinkToGive(db, engine, input)
    return { kind: 'created' as const }
  },
  {
    note: ({ link: { account_id: accountId, email } }, { kind }) =>
      kind === 'created' ? { verb: 'address.link', subject: email as string, accountId } : undefined,
  },
)

/** One more link that confirms the address that the account has; the earlier ones still work. */
export const insertConfirmationLink = defineWrite(
  'accounts.insertConfirmationLink',
  (db, input: LinkByMail, engine) => insertLinkToGive(db, engine, input),
  {
    note: ({ link: { account_id: accountId, email } }) => ({
      verb: 'address.link',
      subject: email as string,
      accountId,
    }),
  },
)

export const confirmAddressRow = defineWrite(
  'accounts.confirmAddress',
  async (db, input: { tokenHash: string; now: number }, engine) => {
    const link = await takeLink(db, engine, { tokenHash: input.tokenHash, kind: 'email', now: input.now })
    if (!link || link.account_id === null || link.email === null) return { kind: 'no-link' as const }
    const { account_id: accountId, email } = link
    return { ...(await setAddress(db, engine, { accountId, email, confirmedAt: input.now })), accountId, email }
  },
  {
    note: (_, outcome) => {
      if (outcome.kind !== 'changed') return undefined
      const { accountId, email, before } = outcome
      return { ...addressNote(accountId, email, before), actor: personOf({ id: accountId, email }) }
    },
  },
)
