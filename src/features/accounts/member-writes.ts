import './tables.ts'
import type { Insertable } from 'kysely'
import type { AuditNote } from '../../platform/storage/audit-note.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Engine, Tables } from '../../platform/storage/tables.ts'
import { takeTurn } from '../../platform/storage/turns.ts'
import { insertLinkToGive, type LinkRow, type LinkToGive } from './mail/mailed-link.ts'
import { findAccountByEmail, findMember, hasProject, lockAccount, usableLinks } from './queries.ts'
import { type Role, suffices } from './role.ts'

const OPEN_INVITATIONS_MAX = 50

export const addMemberRow = defineWrite(
  'members.add',
  async (db, input: { projectId: number; email: string; role: Role; now: number }, engine) => {
    const { projectId, email, role, now } = input
    await takeMemberTurn(db, engine, projectId)
    if (!(await hasProject(db, projectId))) return { kind: 'no-project' as const }
    const account = await findAccountByEmail(db, email)
    if (!account) return { kind: 'no-account' as const }
    const member = await findMember(db, projectId, account.id)
    if (member) return { kind: 'member-already' as const, role: member.role }
    const made_owner_at = role === 'owner' ? now : null
    await insertMember(db, { project_id: projectId, account_id: account.id, role, joined_at: now, made_owner_at })
    return { kind: 'added' as const, id: account.id, name: account.name, joinedAt: now }
  },
  {
    note: ({ projectId, email, role }, { kind }) =>
      kind === 'added' ? { verb: 'member.join', subject: email, projectId, details: { role } } : undefined,
  },
)

interface Detachment {
  projectId: number
  accountId: string
  /** Who changes it: an owner; or the member, who may always leave. */
  by: string
  now: number
  /** Who takes over the keys that this one may no longer have made. */
  keysTo: string | undefined
}

/**
 * For the transaction that changes a role. Invitations that somebody has made who is no owner any more go: they would
 * be a way back. Whoever becomes a viewer can no longer make keys and tokens; `losesKeys` says so.
 */
export async function setRole(db: Db, engine: Engine, { role, ...input }: Detachment & { role: Role }) {
  const { projectId, accountId } = input
  await takeMemberTurn(db, engine, projectId)
  if (!(await isOwner(db, projectId, input.by))) return { kind: 'not-owner' as const }
  const member = await findMember(db, projectId, accountId)
  if (!member) return { kind: 'missing' as const }
  if (role !== 'owner' && (await isLastOwner(db, projectId, accountId))) return { kind: 'last-owner' as const }
  const taking = await findTaker(db, input)
  if (taking.kind === 'no-taker') return taking
  const isGiven = role === 'owner' && member.role !== 'owner'
  await db
    .updateTable('members')
    .set(role === member.role ? { role } : { role, made_owner_at: isGiven ? input.now : null })
    .where('project_id', '=', projectId)
    .where('account_id', '=', accountId)
    .execute()
  const withdrawn = role === 'owner' ? [] : await withdrawInvitationsOf(db, input)
  const losesKeys = suffices(member.role, 'editor') && !suffices(role, 'editor')
  return { kind: 'changed' as const, email: member.email, from: member.role, losesKeys, taker: taking.taker, withdrawn }
}

/**
 * For the transaction that removes a member, or lets one leave. Invitations that the member has made and nobody has
 * used go too. The taker, if one is named, must be able to make keys.
 */
export async function detachMember(db: Db, engine: Engine, input: Detachment) {
  const { projectId, accountId } = input
  await takeMemberTurn(db, engine, projectId)
  if (input.by !== accountId && !(await isOwner(db, projectId, input.by))) return { kind: 'not-owner' as const }
  const member = await findMember(db, projectId, accountId)
  if (!member) return { kind: 'missing' as const }
  if (await isLastOwner(db, projectId, accountId)) return { kind: 'last-owner' as const }
  const taking = await findTaker(db, input)
  if (taking.kind === 'no-taker') return taking
  await db.deleteFrom('members').where('project_id', '=', projectId).where('account_id', '=', accountId).execute()
  const withdrawn = await withdrawInvitationsOf(db, input)
  return { kind: 'removed' as const, email: member.email, from: member.role, taker: taking.taker, withdrawn }
}

async function findTaker(db: Db, { projectId, accountId, keysTo }: Detachment) {
  if (keysTo === undefined) return { kind: 'taker' as const, taker: undefined }
  const taker = await findMember(db, projectId, keysTo)
  const canTake = taker && taker.id !== accountId && suffices(taker.role, 'editor')
  return canTake ? { kind: 'taker' as const, taker } : { kind: 'no-taker' as const }
}

export const insertInvitation = defineWrite(
  'members.invite',
  async (db, { link, mail }: LinkToGive, engine) => {
    if (link.project_id !== null) await takeMemberTurn(db, engine, link.project_id)
    await db.deleteFrom('one_time_links').where('expires_at', '<=', link.created_at).execute()
    if (link.project_id !== null) {
      if (!(await isOwner(db, link.project_id, link.created_by))) return { kind: 'not-owner' as const }
      const { open } = await db
        .selectFrom('one_time_links')
        .select((eb) => eb.fn.countAll<number>().as('open'))
        .where('project_id', '=', link.project_id)
        .executeTakeFirstOrThrow()
      if (open >= OPEN_INVITATIONS_MAX) return { kind: 'too-many' as const }
    }
    await insertLinkToGive(db, engine, { link, mail })
    return { kind: 'invited' as const }
  },
  {
    note: ({ link: { id, project_id, role, email } }, { kind }) =>
      kind === 'invited'
        ? { verb: 'invitation.create', subject: id, projectId: project_id, details: { role, email } }
        : undefined,
  },
)

export const withdrawInvitationRow = defineWrite(
  'members.withdrawInvitation',
  async (db, input: { projectId: number; id: string }) => {
    const { numDeletedRows } = await db
      .deleteFrom('one_time_links')
      .where('id', '=', input.id)
      .where('project_id', '=', input.projectId)
      .where('kind', '=', 'invitation')
      .executeTakeFirst()
    return { withdrawn: numDeletedRows > 0n }
  },
  {
    note: ({ projectId, id }, { withdrawn }) =>
      withdrawn ? noteOfWithdrawn({ id, project_id: projectId }) : undefined,
  },
)

/** An invitation that nobody can use any more. */
export type WithdrawnInvitation = Pick<Tables['one_time_links'], 'id' | 'project_id'>

export const noteOfWithdrawn = ({ id, project_id: projectId }: WithdrawnInvitation): AuditNote => ({
  verb: 'invitation.withdraw',
  subject: id,
  projectId,
})

/**
 * On PostgreSQL two owners could demote each other at once, each seeing the other still there, and one person could
 * join twice.
 */
export const takeMemberTurn = (db: Db, engine: Engine, projectId: number) =>
  takeTurn(db, engine, `members ${projectId}`)

/**
 * Of two who use a link at once, the second finds nothing. The turn of the project or the account that it is about
 * comes before it: whoever has one of these ends links.
 */
export async function takeLink(
  db: Db,
  engine: Engine,
  use: Parameters<typeof usableLinks>[1],
): Promise<LinkRow | undefined> {
  const link = await usableLinks(db, use).executeTakeFirst()
  if (!link || engine === 'sqlite') return link
  if (link.project_id !== null) await takeMemberTurn(db, engine, link.project_id)
  if (link.account_id !== null) await lockAccount(db, engine, link.account_id)
  return usableLinks(db, use).forUpdate().executeTakeFirst()
}

async function withdrawInvitationsOf(
  db: Db,
  { projectId, accountId, now }: Detachment,
): Promise<WithdrawnInvitation[]> {
  const ended = await db
    .deleteFrom('one_time_links')
    .where('project_id', '=', projectId)
    .where('created_by', '=', accountId)
    .returning(['id', 'project_id', 'expires_at'])
    .execute()
  return ended.filter((link) => link.expires_at > now)
}

/** Asked in turn: whoever changes the members may have become less than an owner since the request was admitted. */
export async function isOwner(db: Db, projectId: number, accountId: string | null): Promise<boolean> {
  return accountId !== null && (await findMember(db, projectId, accountId))?.role === 'owner'
}

async function isLastOwner(db: Db, projectId: number, accountId: string): Promise<boolean> {
  const owners = await db
    .selectFrom('members')
    .select('account_id')
    .where('project_id', '=', projectId)
    .where('role', '=', 'owner')
    .limit(2)
    .execute()
  return owners.length === 1 && owners[0]?.account_id === accountId
}

export async function insertMember(db: Db, member: Insertable<Tables['members']>): Promise<void> {
  await db.insertInto('members').values(member).execute()
}

/** With the invitations that nobody has used. Says who they were. Call it while it is the turn of the members. */
export async function removeMembersOfProject(db: Db, projectId: number): Promise<string[]> {
  const members = await db.deleteFrom('members').where('project_id', '=', projectId).returning('account_id').execute()
  await db.deleteFrom('one_time_links').where('project_id', '=', projectId).execute()
  return members.map(({ account_id }) => account_id)
}
