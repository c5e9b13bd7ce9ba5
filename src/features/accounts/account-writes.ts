import './tables.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Engine, Tables } from '../../platform/storage/tables.ts'
import { takeTurn } from '../../platform/storage/turns.ts'
import { spellingsOf } from './email.ts'
import { insertLinkToGive, type LinkByMail, type LinkRow, type LinkToGive } from './mail/mailed-link.ts'
import { insertMember, takeLink, takeMemberTurn } from './member-writes.ts'
import { findAccountByEmail, findAccountById, findMember, hasProject } from './queries.ts'
import type { Role } from './role.ts'
import { insertSession, personOf, type SessionRow } from './session-writes.ts'

export type AccountRow = Tables['accounts']

interface Joined {
  projectId: number
  role: Role
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
    const link = tokenHash && (await takeLink(db, engine, { tokenHash, kind: 'invitation', now }))
    if (tokenHash && !link) return { kind: 'no-link' as const }
    if (!(await insertAccount(db, engine, account))) return { kind: 'taken' as const }
    const joined = link ? await redeem(db, link, account.id, now) : undefined
    if (link && isProof(link, tokenHash, account.email)) await setConfirmed(db, account.id, now)
    if (confirmation) await insertLinkToGive(db, engine, confirmation)
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
    const link = await takeLink(db, engine, { tokenHash: input.tokenHash, kind: 'invitation', now: input.now })
    if (!link) return { kind: 'no-link' as const }
    if (link.project_id !== null && (await findMember(db, link.project_id, input.accountId))) {
      return { kind: 'member-already' as const }
    }
    const account = await findAccountById(db, input.accountId)
    if (account && isProof(link, input.tokenHash, account.email)) await setConfirmed(db, account.id, input.now)
    return { kind: 'accepted' as const, account, joined: await redeem(db, link, input.accountId, input.now) }
  },
  {
    note: (_, outcome) =>
      outcome.kind === 'accepted' && outcome.account && outcome.joined
        ? joinNote(outcome.joined, outcome.account.email)
        : undefined,
  },
)

/** Whether whoever uses the link has read what was mailed to this address. */
const isProof = ({ mailed_token_hash, email }: LinkRow, tokenHash: string | undefined, address: string) =>
  mailed_token_hash === tokenHash && email !== null && spellingsOf(email).includes(address)

/** The first time counts. */
export async function setConfirmed(db: Db, accountId: string, now: number): Promise<void> {
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
async function redeem(db: Db, link: LinkRow, accountId: string, now: number): Promise<Joined | undefined> {
  await db.deleteFrom('one_time_links').where('id', '=', link.id).execute()
  if (link.operator === 1) await db.updateTable('accounts').set({ operator: 1 }).where('id', '=', accountId).execute()
  const { project_id, role } = link
  if (project_id === null || role === null) return undefined
  await insertMember(db, { project_id, account_id: accountId, role, joined_at: now })
  return { projectId: project_id, role }
}

/** For accounts that the operator creates: without a password, until their link has been used. */
export const createAccountRow = defineWrite(
  'accounts.create',
  async (
    db,
    input: { account: AccountRow; membership: { projectId: number; role: Role } | undefined } & LinkToGive,
    engine,
  ) => {
    const { account, link, mail, membership } = input
    if (membership) {
      await takeMemberTurn(db, engine, membership.projectId)
      if (!(await hasProject(db, membership.projectId))) return { kind: 'no-project' as const }
    }
    if (!(await insertAccount(db, engine, account))) return { kind: 'taken' as const }
    await insertLinkToGive(db, engine, { link, mail })
    if (membership) {
      const { projectId: project_id, role } = membership
      const joined_at = account.created_at
      const made_owner_at = role === 'owner' ? joined_at : null
      await insertMember(db, { project_id, account_id: account.id, role, joined_at, made_owner_at })
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
  if (await findAccountByEmail(db, account.email)) return false
  await db.insertInto('accounts').values(account).execute()
  return true
}

/** A new account and a changed address wait for each other, so that an address has one account. */
export const takeAddressTurn = (db: Db, engine: Engine, email: string) =>
  takeTurn(
    db,
    engine,
    spellingsOf(email).map((spelling) => `address ${spelling}`),
  )

export const renameAccountRow = defineWrite(
  'accounts.rename',
  async (db, { accountId, name }: { accountId: string; name: string }) => {
    const account = db.updateTable('accounts').set({ name }).where('id', '=', accountId).where('name', '!=', name)
    return { renamed: (await account.executeTakeFirst()).numUpdatedRows > 0n }
  },
  {
    note: ({ accountId, name }, { renamed }) =>
      renamed ? { verb: 'account.rename', subject: accountId, accountId, details: { name } } : undefined,
  },
)
