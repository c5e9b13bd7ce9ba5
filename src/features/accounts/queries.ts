import './tables.ts'
import { prepare } from '../../platform/storage/prepared.ts'
import { containing, type ListPart } from '../../platform/storage/rows/containing.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import { spellingsOf } from './email.ts'
import type { LinkKind } from './tables.ts'

export const findSessionByToken = prepare('findSessionByToken', (db, session: { tokenHash: string; now: number }) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .selectAll('accounts')
    .select(['sessions.id as session_id', 'sessions.created_at as session_created_at', 'sessions.last_seen_at'])
    .where('sessions.token_hash', '=', session.tokenHash)
    .where('sessions.expires_at', '>', session.now),
)

/** The project at this slug and what the account is there; nothing for those who are no members. */
export const findAccess = prepare('findAccess', (db, access: { accountId: string; slug: string }) =>
  db
    .selectFrom('projects')
    .innerJoin('members', 'members.project_id', 'projects.id')
    .select(['projects.id', 'projects.slug', 'projects.name', 'projects.plan', 'projects.created_at', 'members.role'])
    .select((eb) => [
      'projects.require_second_factor',
      eb
        .selectFrom('second_factors')
        .select((of) => of.fn.countAll<number>().as('factors'))
        .where('account_id', '=', access.accountId)
        .as('factors'),
    ])
    .where('projects.slug', '=', access.slug)
    .where('members.account_id', '=', access.accountId),
)

/** Where each spelling of the address has an account from before, the one that was confirmed, or the older one. */
export function findAccountByEmail(db: Db, email: string) {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('email', 'in', spellingsOf(email))
    .orderBy((eb) => eb('email_confirmed_at', 'is', null))
    .orderBy('email_confirmed_at')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
}

export function findAccountById(db: Db, id: string) {
  return db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Whatever opens or ends sessions of an account begins here, or with an update of its row: on PostgreSQL one waits for
 * the other, and sessions do not end while one more is opening. Rows that name the account do not wait.
 */
export function lockAccount(db: Db, engine: Engine, id: string) {
  const account = db.selectFrom('accounts').selectAll().where('id', '=', id)
  return (engine === 'postgres' ? account.forNoKeyUpdate() : account).executeTakeFirst()
}

/** In the order of their addresses. */
export function listAccountRows(db: Db, { q, after, limit }: ListPart) {
  let accounts = db.selectFrom('accounts').selectAll().orderBy('email')
  if (q !== undefined) accounts = accounts.where(containing(db, ['name', 'email'], q))
  if (after !== undefined) accounts = accounts.where('email', '>', after)
  return (limit === undefined ? accounts : accounts.limit(limit)).execute()
}

export function listAccountsById(db: Db, ids: readonly string[]) {
  return db.selectFrom('accounts').select(['id', 'email', 'name']).where('id', 'in', ids).execute()
}

export function listSessionsOfAccount(db: Db, accountId: string, now: number) {
  return db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'last_seen_at', 'expires_at', 'user_agent', 'network'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Whether the account is signed in somewhere in the network. */
export async function hasSessionIn(db: Db, at: { accountId: string; network: string; now: number }): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('id')
    .where('account_id', '=', at.accountId)
    .where('network', '=', at.network)
    .where('expires_at', '>', at.now)
    .limit(1)
    .executeTakeFirst()
  return session !== undefined
}

export function listMemberships(db: Db, accountId: string) {
  return db
    .selectFrom('members')
    .innerJoin('projects', 'projects.id', 'members.project_id')
    .select(['projects.id', 'projects.slug', 'projects.name', 'projects.plan', 'projects.created_at', 'members.role'])
    .select('projects.require_second_factor')
    .where('members.account_id', '=', accountId)
    .orderBy('projects.slug')
    .execute()
}

export function listMembersOfProject(db: Db, projectId: number) {
  return db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select(['accounts.id', 'accounts.email', 'accounts.name', 'members.role', 'members.joined_at'])
    .where('members.project_id', '=', projectId)
    .orderBy('members.joined_at')
    .orderBy('accounts.id')
    .execute()
}

/**
 * Whose share a project uses of what is shared by account: that of the first owner who chose to be one. Where all of
 * those have left, it is none of the share of whoever they have made an owner, who was not asked; but all projects that
 * such a person was given have one together, or leaving would be a way to ever more. Its own where nobody owns it.
 */
export async function findShareHolder(db: Db, projectId: number): Promise<string> {
  const owners = await db
    .selectFrom('members')
    .select(['account_id', 'made_owner_at'])
    .where('project_id', '=', projectId)
    .where('role', '=', 'owner')
    .orderBy('joined_at')
    .orderBy('account_id')
    .execute()
  const first = owners.find(({ made_owner_at }) => made_owner_at === null) ?? owners[0]
  if (!first) return `project ${projectId}`
  return first.made_owner_at === null ? first.account_id : `given to ${first.account_id}`
}

export function findMember(db: Db, projectId: number, accountId: string) {
  return db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select(['members.role', 'accounts.email', 'accounts.id'])
    .where('members.project_id', '=', projectId)
    .where('members.account_id', '=', accountId)
    .executeTakeFirst()
}

/** With what it leads to, for the person who holds it. */
export function findLink(db: Db, tokenHash: string, now: number) {
  return db
    .selectFrom('one_time_links')
    .leftJoin('projects', 'projects.id', 'one_time_links.project_id')
    .leftJoin('accounts', 'accounts.id', 'one_time_links.account_id')
    .select(['one_time_links.kind', 'one_time_links.role', 'one_time_links.operator', 'one_time_links.expires_at'])
    .select('one_time_links.project_id')
    .select(['projects.slug', 'projects.name as projectName', 'accounts.email as accountEmail', 'one_time_links.email'])
    .where((eb) =>
      eb.or([eb('one_time_links.token_hash', '=', tokenHash), eb('one_time_links.mailed_token_hash', '=', tokenHash)]),
    )
    .where('one_time_links.expires_at', '>', now)
    .executeTakeFirst()
}

/** For a transaction that uses it, which takes it by `takeLink`. */
export const usableLinks = (db: Db, use: { tokenHash: string; kind: LinkKind; now: number }) =>
  db
    .selectFrom('one_time_links')
    .selectAll()
    .where((eb) => eb.or([eb('token_hash', '=', use.tokenHash), eb('mailed_token_hash', '=', use.tokenHash)]))
    .where('kind', '=', use.kind)
    .where('expires_at', '>', use.now)

export function listInvitationsOfProject(db: Db, projectId: number, now: number) {
  return db
    .selectFrom('one_time_links')
    .leftJoin('mails', 'mails.link_id', 'one_time_links.id')
    .select(['one_time_links.id', 'role', 'email', 'one_time_links.created_at', 'expires_at'])
    .select(['mails.id as mail_id', 'mails.sent_at', 'mails.failed_at', 'mails.refusal'])
    .where('project_id', '=', projectId)
    .where('kind', '=', 'invitation')
    .where('expires_at', '>', now)
    .orderBy('one_time_links.created_at')
    .orderBy('one_time_links.id')
    .execute()
}

/** The addresses of those who run this installation, as far as they are known to be theirs. */
export async function listOperatorAddresses(db: Db): Promise<string[]> {
  const operators = db.selectFrom('accounts').select('email').where('operator', '=', 1).where('must_confirm', '=', 0)
  return (await operators.orderBy('email').execute()).map(({ email }) => email)
}

export async function countMailsLike(db: Db, mail: { to: string; subject: string; since: number }): Promise<number> {
  const { alike } = await db
    .selectFrom('mails')
    .select((eb) => eb.fn.countAll<number>().as('alike'))
    .where('recipient', '=', mail.to)
    .where('subject', '=', mail.subject)
    .where('created_at', '>', mail.since)
    .executeTakeFirstOrThrow()
  return alike
}

/** False from the moment in which it is deleted, though its rows are there for a while. */
export async function hasProject(db: Db, id: number): Promise<boolean> {
  const project = db.selectFrom('projects').select('id').where('id', '=', id).where('deleted_at', 'is', null)
  return (await project.executeTakeFirst()) !== undefined
}

export async function findProjectName(db: Db, projectId: number): Promise<string | undefined> {
  return (await db.selectFrom('projects').select('name').where('id', '=', projectId).executeTakeFirst())?.name
}

export function findInvitationMail(db: Db, linkId: string, madeBy: string) {
  return db
    .selectFrom('one_time_links')
    .leftJoin('mails', 'mails.link_id', 'one_time_links.id')
    .select(['mails.id as mail_id', 'mails.sent_at', 'mails.failed_at', 'mails.refusal'])
    .where('one_time_links.id', '=', linkId)
    .where('one_time_links.created_by', '=', madeBy)
    .executeTakeFirst()
}

/** With the end of its link, which is null when the link has been used or withdrawn. */
export function findMail(db: Db, id: number) {
  return db
    .selectFrom('mails')
    .leftJoin('one_time_links', 'one_time_links.id', 'mails.link_id')
    .selectAll('mails')
    .select('one_time_links.expires_at as link_expires_at')
    .where('mails.id', '=', id)
    .executeTakeFirst()
}

export async function countMembers(db: Db, projectId: number): Promise<number> {
  const { members } = await db
    .selectFrom('members')
    .select((eb) => eb.fn.countAll<number>().as('members'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  return members
}

/** Those that the account has chosen to own. */
export async function countOwnedProjects(db: Db, accountId: string): Promise<number> {
  const { owned } = await db
    .selectFrom('members')
    .select((eb) => eb.fn.countAll<number>().as('owned'))
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .where('made_owner_at', 'is', null)
    .executeTakeFirstOrThrow()
  return owned
}
