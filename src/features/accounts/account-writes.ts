import './tables.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Engine, Tables } from '../../platform/storage/tables.ts'
import { takeTurn } from '../../platform/storage/turns.ts'
import { insertMailedLink, type LinkByMail } from './mail/mailed-link.ts'
import { insertLink, insertMember, type LinkRow } from './member-writes.ts'
import { findAccountByEmail, findAccountById, findLinkForUse, findMember } from './queries.ts'
import type { Role } from './role.ts'
import { countFactors } from './second-factors/factor-writes.ts'
import { forgetChallenges, insertSession, personOf, type SessionRow } from './session-writes.ts'

export type AccountRow = Tables['accounts']

interface Joined {
  projectId: number | null
  role: string | null
}

/** An account and its first session; with an invitation also what the invitation gives. */
export const signUpRow = defineWrite(
  'accounts.signUp',
  async (
    db,
    input: {
      account: AccountRow
      session: SessionRow
      linkTokenHash: string | undefined
      /** Of an account that must confirm its address first. */
      confirmation: LinkByMail | undefined
      now: number
    },
    engine,
  ) => {
    const { account, session, linkTokenHash: tokenHash, confirmation, now } = input
    const link = tokenHash && (await findLinkForUse(db, engine, { tokenHash, kind: 'invitation', now }))
    if (tokenHash && !link) return { kind: 'no-link' as const }
    if (!(await insertAccount(db, engine, account))) return { kind: 'taken' as const }
    const joined = link ? await redeem(db, link, account.id, now) : undefined
    if (link && isProof(link, tokenHash, account.email)) await setConfirmed(db, account.id, now)
    if (confirmation) await insertMailedLink(db, engine, confirmation)
    await insertSession(db, session)
    return { kind: 'created' as const, account: (await findAccountById(db, account.id)) as AccountRow, joined }
  },
  {
    note: ({ account }, outcome) => {
      if (outcome.kind !== 'created') return undefined
      const actor = personOf(account)
      const created = { verb: 'account.create', subject: account.email, accountId: account.id, actor }
      return outcome.joined ? [created, { ...joinNote(outcome.joined, account.email), actor }] : created
    },
  },
)

export const acceptInvitationRow = defineWrite(
  'accounts.acceptInvitation',
  async (db, input: { accountId: string; tokenHash: string; now: number }, engine) => {
    const link = await findLinkForUse(db, engine, { tokenHash: input.tokenHash, kind: 'invitation', now: input.now })
    if (!link) return { kind: 'no-link' as const }
    if (link.project_id !== null && (await findMember(db, link.project_id, input.accountId))) {
      return { kind: 'member-already' as const }
    }
    const account = await findAccountById(db, input.accountId)
    if (account && isProof(link, input.tokenHash, account.email)) await setConfirmed(db, account.id, input.now)
    return { kind: 'accepted' as const, joined: await redeem(db, link, input.accountId, input.now) }
  },
  { note: (_, outcome) => (outcome.kind === 'accepted' ? joinNote(outcome.joined, 'invitation') : undefined) },
)

/** Whether whoever uses the link has read what was mailed to this address. */
const isProof = ({ mailed_token_hash, email }: LinkRow, tokenHash: string | undefined, address: string) =>
  mailed_token_hash === tokenHash && email === address

/** The first time counts. */
async function setConfirmed(db: Db, accountId: string, now: number): Promise<void> {
  await db
    .updateTable('accounts')
    .set((eb) => ({ email_confirmed_at: eb.fn.coalesce('email_confirmed_at', eb.val(now)), must_confirm: 0 }))
    .where('id', '=', accountId)
    .execute()
}

const joinNote = ({ projectId, role }: Joined, subject: string) => ({
  verb: 'member.join',
  subject,
  projectId,
  details: { role },
})

/** Gives the account what the link promises, and removes the link. */
async function redeem(db: Db, link: LinkRow, accountId: string, now: number): Promise<Joined> {
  await db.deleteFrom('one_time_links').where('id', '=', link.id).execute()
  if (link.operator === 1) await db.updateTable('accounts').set({ operator: 1 }).where('id', '=', accountId).execute()
  if (link.project_id !== null && link.role !== null) {
    const member = { project_id: link.project_id, account_id: accountId, role: link.role, joined_at: now }
    await insertMember(db, member)
  }
  return { projectId: link.project_id, role: link.role }
}

/** For accounts that the operator creates: without a password, until their link has been used. */
export const createAccountRow = defineWrite(
  'accounts.create',
  async (
    db,
    input: { account: AccountRow; link: LinkRow; membership: { projectId: number; role: Role } | undefined },
    engine,
  ) => {
    const { account, link, membership } = input
    if (!(await insertAccount(db, engine, account))) return { kind: 'taken' as const }
    await insertLink(db, link)
    if (membership) {
      const { projectId: project_id, role } = membership
      await insertMember(db, { project_id, account_id: account.id, role, joined_at: account.created_at })
    }
    return { kind: 'created' as const }
  },
  {
    note: ({ account: { id: accountId, email, operator }, membership }, outcome) => {
      if (outcome.kind !== 'created') return undefined
      const details = { operator: operator === 1, role: membership?.role ?? null }
      return { verb: 'account.create', subject: email, accountId, projectId: membership?.projectId ?? null, details }
    },
  },
)

async function insertAccount(db: Db, engine: Engine, account: AccountRow): Promise<boolean> {
  await takeAddressTurn(db, engine, account.email)
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** A new account and a changed address wait for each other, so that an address has one account. */
const takeAddressTurn = (db: Db, engine: Engine, email: string) => takeTurn(db, engine, `address ${email}`)

interface NewAddress {
  accountId: string
  email: string
  /** Undefined where nobody can confirm an address, for lack of mail. */
  confirmedAt?: number
}

/** Every open link of the account ends: it may have been sent to the old address. */
async function setAddress(db: Db, engine: Engine, { accountId, email, confirmedAt }: NewAddress) {
  await takeAddressTurn(db, engine, email)
  const holder = await findAccountByEmail(db, email)
  if (holder && (holder.id !== accountId || confirmedAt === undefined)) return { kind: 'taken' as const }
  const before = (await findAccountById(db, accountId)) as AccountRow
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
    await insertMailedLink(db, engine, input)
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
  (db, input: LinkByMail, engine) => insertMailedLink(db, engine, input),
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
    const link = await findLinkForUse(db, engine, { tokenHash: input.tokenHash, kind: 'email', now: input.now })
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

export const renameAccountRow = defineWrite(
  'accounts.rename',
  async (db, { accountId, name }: { accountId: string; name: string }) => {
    await db.updateTable('accounts').set({ name }).where('id', '=', accountId).execute()
  },
  { note: ({ accountId, name }) => ({ verb: 'account.rename', subject: accountId, accountId, details: { name } }) },
)

/** A link that sets the account's password; an earlier one stops working. */
export const insertPasswordLink = defineWrite(
  'accounts.insertPasswordLink',
  async (db, input: { email: string; link: Omit<LinkRow, 'account_id'> }) => {
    const account = await findAccountByEmail(db, input.email)
    if (!account) return { kind: 'missing' as const }
    await db.deleteFrom('one_time_links').where('account_id', '=', account.id).execute()
    await insertLink(db, { ...input.link, account_id: account.id })
    return { kind: 'created' as const, accountId: account.id }
  },
  {
    note: ({ email }, outcome) =>
      outcome.kind === 'created' ? { verb: 'password.link', subject: email, accountId: outcome.accountId } : undefined,
  },
)

/**
 * Sets the password through a link: every session and every other link that existed ends, whoever opened it. Whoever
 * reads the mailbox still needs the account's passkey or code; a link that the operator has handed over does without,
 * as the way back for those who have lost theirs.
 */
export const resetPasswordRow = defineWrite(
  'accounts.resetPassword',
  async (
    db,
    input: { tokenHash: string; passwordHash: string; session: Omit<SessionRow, 'account_id'>; now: number },
    engine,
  ) => {
    const link = await findLinkForUse(db, engine, { tokenHash: input.tokenHash, kind: 'password', now: input.now })
    if (!link || link.account_id === null) return { kind: 'no-link' as const }
    const isMailed = link.mailed_token_hash === input.tokenHash
    if (isMailed) await setConfirmed(db, link.account_id, input.now)
    const account = await db
      .updateTable('accounts')
      .set({ password_hash: input.passwordHash, password_changed_at: input.now })
      .where('id', '=', link.account_id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await db.deleteFrom('one_time_links').where('account_id', '=', account.id).execute()
    await db.deleteFrom('sessions').where('account_id', '=', account.id).execute()
    await forgetChallenges(db, account.id)
    const needsProof = isMailed && (await countFactors(db, account.id)) > 0
    if (!needsProof) await insertSession(db, { ...input.session, account_id: account.id })
    return { kind: 'changed' as const, account, needsProof }
  },
  {
    note: (_, outcome) => {
      if (outcome.kind !== 'changed') return undefined
      const { id, email } = outcome.account
      return { verb: 'password.reset', subject: email, accountId: id, actor: personOf(outcome.account) }
    },
  },
)
