import type { Clock } from '../../platform/clock.ts'
import { conflict, notFound, PetstoreError } from '../../platform/errors.ts'
import { iso } from '../../platform/iso-date.ts'
import type { AuditedStorage } from '../../platform/storage/storage.ts'
import { noProject, parseRole } from './accounts.ts'
import { parseEmail } from './email.ts'
import { linkUrl, newLink } from './links.ts'
import { type LinkMailNeeds, mailLink } from './mail/link-mail.ts'
import { addMemberRow, insertInvitation, withdrawInvitationRow } from './member-writes.ts'
import { findAccess, findInvitationMail, listInvitationsOfProject, listMembersOfProject } from './queries.ts'
import { type Role, suffices } from './role.ts'
import type { SignedIn } from './sessions.ts'
import type { SignInThrottle } from './throttle.ts'

/** What an account may do in a project, as the other verbs of a request need it. */
export interface Access {
  projectId: number
  slug: string
  name: string
  plan: Awaited<ReturnType<typeof findAccess>>[number]['plan']
  requireSecondFactor: boolean
  createdAt: number
  role: Role
}

export interface MemberView {
  id: string
  email: string
  name: string
  role: Role
  joinedAt: string
}

export interface InvitationView {
  id: string
  role: Role
  email: string | null
  createdAt: string
  expiresAt: string
  /** What became of the mail with the link; null where there is none. */
  mail: 'queued' | 'sent' | 'failing' | 'refused' | null
  /** Why it will never be sent, where it was refused. */
  mailRefusal: string | null
}

type MailState = Pick<InvitationView, 'mail' | 'mailRefusal'>

interface InviteNeeds extends LinkMailNeeds {
  storage: AuditedStorage
  clock: Clock
  throttle: Pick<SignInThrottle, 'invitationMail'>
}

/** Strangers learn nothing: a project of others and no project at all are the same 404. */
export async function requireAccess(
  { storage }: { storage: AuditedStorage },
  who: SignedIn,
  slug: string,
  needs: Role,
): Promise<Access> {
  const [row] = await findAccess(storage.read, { accountId: who.id, slug })
  if (!row) throw notFound('You have no project at this address.')
  if (!suffices(row.role, needs)) {
    throw new PetstoreError('forbidden', `This needs the role ${needs}, and you are ${row.role} here: ask an owner.`)
  }
  const { id: projectId, created_at: createdAt, require_second_factor, factors, ...access } = row
  const requireSecondFactor = require_second_factor === 1
  // Whoever has one was asked for it: the first one ends every session that was opened without.
  if (requireSecondFactor && !factors) {
    throw new PetstoreError(
      'forbidden',
      'This project asks its members for a passkey or one-time codes: add one to your account, under Security.',
    )
  }
  return { ...access, requireSecondFactor, projectId, createdAt }
}

export async function listMembers({ storage }: { storage: AuditedStorage }, projectId: number): Promise<MemberView[]> {
  const rows = await listMembersOfProject(storage.read, projectId)
  return rows.map(({ id, email, name, role, joined_at }) => ({ id, email, name, role, joinedAt: iso(joined_at) }))
}

/** Somebody who has an account, added without an invitation: for the operator, who may do so. */
export async function addMember(
  { storage, clock }: { storage: AuditedStorage; clock: Clock },
  input: { projectId: number; email: string; role: string },
): Promise<MemberView> {
  const [email, role] = [parseEmail(input.email), parseRole(input.role)]
  const outcome = await storage.write(addMemberRow, { projectId: input.projectId, email, role, now: clock.now() })
  if (outcome.kind === 'no-project') throw noProject()
  if (outcome.kind === 'no-account') throw notFound(`There is no account with the address ${email}.`)
  if (outcome.kind === 'member-already') throw conflict(`${email} is ${outcome.role} of this project already.`)
  const { id, name, joinedAt } = outcome
  return { id, email, name, role, joinedAt: iso(joinedAt) }
}

/**
 * The link is shown this once, and mailed where there is mail and an address; whoever opens it first gets what it
 * promises. Without a project, just an account.
 */
export async function invite(
  needs: InviteNeeds,
  who: SignedIn,
  input: ({ project: Pick<Access, 'projectId' | 'name'>; role: Role } | { project?: undefined }) & {
    email?: string | undefined
  },
): Promise<InvitationView & { link: string }> {
  const { storage, clock, dashboardUrl, throttle } = needs
  const email = input.email === undefined ? undefined : parseEmail(input.email)
  const { token, row } = newLink(
    'invitation',
    {
      project_id: input.project?.projectId ?? null,
      role: input.project ? input.role : null,
      email: email ?? null,
      created_by: who.id,
    },
    clock.now(),
  )
  const isMailed = needs.mail && email !== undefined
  if (isMailed) await throttle.invitationMail({ from: who.id, to: email })
  const what = input.project ? `the project ${input.project.name}, as ${input.role},` : 'Petstore'
  const words = {
    to: email ?? '',
    subject: input.project ? `Join ${input.project.name}` : 'Create your account',
    text:
      `${who.email} invites you to ${what} at ${new URL(dashboardUrl).host}. If you know who that is, open the link ` +
      'below within 7 days. If you do not, do nothing.',
  }
  const mailed = isMailed ? mailLink(needs, row, words) : { link: row, mail: undefined }
  const outcome = await storage.write(insertInvitation, mailed)
  if (outcome.kind === 'not-owner') throw notOwner('invite')
  if (outcome.kind === 'too-many') throw conflict('This project has 50 open invitations: withdraw some of them first.')
  const mail = { mail: isMailed ? ('queued' as const) : null, mailRefusal: null }
  return { ...invitationView(row), ...mail, link: linkUrl(dashboardUrl, 'invitation', token) }
}

export async function listInvitations(
  { storage, clock }: { storage: AuditedStorage; clock: Clock },
  projectId: number,
): Promise<InvitationView[]> {
  const rows = await listInvitationsOfProject(storage.read, projectId, clock.now())
  return rows.map((row) => ({ ...invitationView(row), ...mailState(row) }))
}

/** For whoever has just invited somebody, and wonders whether the link has to be passed on by hand. */
export async function invitationMail(
  { storage }: { storage: AuditedStorage },
  who: Pick<SignedIn, 'id'>,
  id: string,
): Promise<MailState> {
  const row = await findInvitationMail(storage.read, id, who.id)
  if (!row) throw isNotOpen()
  return mailState(row)
}

export async function withdrawInvitation(
  { storage }: { storage: AuditedStorage },
  projectId: number,
  id: string,
): Promise<void> {
  const { withdrawn } = await storage.write(withdrawInvitationRow, { projectId, id })
  if (!withdrawn) throw isNotOpen()
}

function invitationView(row: {
  id: string
  role: Role | null
  email: string | null
  created_at: number
  expires_at: number
}): Omit<InvitationView, keyof MailState> {
  const { id, role, email, created_at, expires_at } = row
  return { id, role: role ?? 'viewer', email, createdAt: iso(created_at), expiresAt: iso(expires_at) }
}

function mailState(row: {
  mail_id: number | null
  sent_at: number | null
  failed_at: number | null
  refusal: string | null
}): MailState {
  const mailRefusal = row.refusal
  if (row.mail_id === null) return { mail: null, mailRefusal }
  if (row.sent_at !== null) return { mail: 'sent', mailRefusal }
  if (mailRefusal !== null) return { mail: 'refused', mailRefusal }
  return { mail: row.failed_at === null ? 'queued' : 'failing', mailRefusal }
}

const isNotOpen = () => notFound('This invitation is not open any more.')

export const noSuchMember = () => notFound('This project has no such member.')

export const notOwner = (what: string) => new PetstoreError('forbidden', `Only owners ${what}: you are none any more.`)

export const lastOwner = (what: string) => conflict(`The last owner cannot ${what}: make somebody else an owner first.`)
