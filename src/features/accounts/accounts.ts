import type { Clock } from '../../platform/clock.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/id.ts'
import { iso } from '../../platform/iso-date.ts'
import type { ListPart } from '../../platform/storage/rows/containing.ts'
import type { AuditedStorage, Storage } from '../../platform/storage/storage.ts'
import { type AccountRow, createAccountRow, renameAccountRow } from './account-writes.ts'
import { parseEmail } from './email.ts'
import { linkUrl, newLink, type NewLink } from './links.ts'
import { mailLink } from './mail/link-mail.ts'
import type { LinkToGive } from './mail/mailed-link.ts'
import { insertPasswordLink } from './passwords/password-writes.ts'
import { listAccountRows } from './queries.ts'
import { type Role, ROLES } from './role.ts'
import type { SecretSealer } from './second-factors/secret-sealer.ts'

export interface Account {
  id: string
  email: string
  name: string
  operator: boolean
  createdAt: string
  /** Whether a mailed link has shown that the person reads what is sent to the address. */
  confirmed: boolean
  /** Where there is mail, nothing else can be done before. */
  mustConfirm: boolean
}

interface PasswordLink {
  /** Opens the page on which the person chooses a password; works once, for a day. */
  link: string
}

interface OperatorNeeds {
  storage: AuditedStorage
  clock: Clock
  /** Where the dashboard is: `https://pets.example.com`. */
  dashboardUrl: string
  /** Seals the link in a mail to the person; undefined where none is sent. */
  mailSealer?: SecretSealer | undefined
}

/** Creates an account without a password: the person chooses one through the link. */
export async function createAccount(
  needs: OperatorNeeds,
  input: {
    email: string
    name?: string | undefined
    operator?: boolean | undefined
    membership?: { projectId: number; role: string } | undefined
  },
): Promise<Account & PasswordLink> {
  const email = parseEmail(input.email)
  const now = needs.clock.now()
  const account: AccountRow = {
    id: newId('acc'),
    email,
    name: input.name?.trim() || (email.split('@', 1)[0] as string),
    password_hash: null,
    password_changed_at: now,
    operator: input.operator ? 1 : 0,
    created_at: now,
    email_confirmed_at: null,
    must_confirm: 0,
  }
  const made = newLink('password', { account_id: account.id }, now)
  const { membership } = input
  const outcome = await needs.storage.write(createAccountRow, {
    account,
    ...linkToGive(needs, made, {
      to: email,
      subject: 'Choose your password',
      text:
        `Whoever runs ${new URL(needs.dashboardUrl).host} has made an account for you. Open the link below within a ` +
        'day, and choose a password.',
    }),
    membership: membership && { ...membership, role: parseRole(membership.role) },
  })
  if (outcome.kind === 'no-project') throw noProject()
  if (outcome.kind === 'taken') throw conflict(`There is an account with the address ${email} already.`)
  return { ...accountView(account), link: linkUrl(needs.dashboardUrl, 'password', made.token) }
}

export async function listAccounts(
  { storage }: { storage: Pick<Storage, 'read'> },
  part: ListPart = {},
): Promise<Account[]> {
  return (await listAccountRows(storage.read, part)).map(accountView)
}

/** A link on which the person chooses a new password; nothing ends until it is used. */
export async function makePasswordLink(
  needs: OperatorNeeds,
  emailText: string,
): Promise<{ email: string } & PasswordLink> {
  const email = parseEmail(emailText)
  const made = newLink('password', {}, needs.clock.now())
  const given = linkToGive(needs, made, {
    to: email,
    subject: 'Choose a new password',
    text:
      `Whoever runs ${new URL(needs.dashboardUrl).host} sends you this link, on which you choose a new password, ` +
      'within a day. Until then the old one goes on working.',
  })
  const outcome = await needs.storage.write(insertPasswordLink, { email, ...given })
  if (outcome.kind === 'missing') throw notFound(`There is no account with the address ${email}.`)
  return { email, link: linkUrl(needs.dashboardUrl, 'password', made.token) }
}

function linkToGive(
  { mailSealer: sealer, dashboardUrl }: OperatorNeeds,
  { row }: NewLink,
  words: { to: string; subject: string; text: string },
): LinkToGive {
  return sealer ? mailLink({ sealer, dashboardUrl }, row, words) : { link: row, mail: undefined }
}

export async function renameAccount(
  { storage }: { storage: AuditedStorage },
  who: Pick<Account, 'id'>,
  name: string,
): Promise<void> {
  await storage.write(renameAccountRow, { accountId: who.id, name: name.trim() })
}

export function accountView(row: Omit<AccountRow, 'password_hash' | 'password_changed_at'>): Account {
  const { id, email, name, operator, created_at, email_confirmed_at, must_confirm } = row
  return {
    id,
    email,
    name,
    operator: operator === 1,
    createdAt: iso(created_at),
    confirmed: email_confirmed_at !== null,
    mustConfirm: must_confirm === 1,
  }
}

export const noProject = () => notFound('This project has been deleted.')

export function parseRole(text: string): Role {
  const role = ROLES.find((known) => known === text)
  if (!role) throw invalid(`"${text}" is no role: choose ${ROLES.join(', ')}.`)
  return role
}
