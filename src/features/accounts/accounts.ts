import type { Clock } from '../../platform/clock.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/id.ts'
import { iso } from '../../platform/iso-date.ts'
import type { AuditedStorage } from '../../platform/storage/storage.ts'
import { type AccountRow, createAccountRow, insertPasswordLink, renameAccountRow } from './account-writes.ts'
import { parseEmail } from './email.ts'
import { linkUrl, newLink } from './links.ts'
import { listAllAccounts } from './queries.ts'
import { type Role, ROLES } from './role.ts'

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

export interface AccountWithLink extends Account {
  /** Opens the page on which the person chooses a password; works once, for a day. */
  link: string
}

interface OperatorNeeds {
  storage: AuditedStorage
  clock: Clock
  /** Where the dashboard is: `https://pets.example.com`. */
  dashboardUrl: string
}

/** Creates an account without a password: the person chooses one through the link. */
export async function createAccount(
  { storage, clock, dashboardUrl }: OperatorNeeds,
  input: {
    email: string
    name?: string | undefined
    operator?: boolean | undefined
    membership?: { projectId: number; role: string } | undefined
  },
): Promise<AccountWithLink> {
  const email = parseEmail(input.email)
  const now = clock.now()
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
  const { token, row: link } = newLink('password', { account_id: account.id }, now)
  const { membership } = input
  const outcome = await storage.write(createAccountRow, {
    account,
    link,
    membership: membership && { ...membership, role: parseRole(membership.role) },
  })
  if (outcome.kind === 'taken') throw conflict(`There is an account with the address ${email} already.`)
  return { ...accountView(account), link: linkUrl(dashboardUrl, 'password', token) }
}

export async function listAccounts({ storage }: { storage: AuditedStorage }): Promise<Account[]> {
  return (await listAllAccounts(storage.read)).map(accountView)
}

/** A link on which the person chooses a new password; nothing ends until it is used. */
export async function makePasswordLink(
  { storage, clock, dashboardUrl }: OperatorNeeds,
  emailText: string,
): Promise<{ email: string; link: string }> {
  const email = parseEmail(emailText)
  const { token, row } = newLink('password', {}, clock.now())
  const outcome = await storage.write(insertPasswordLink, { email, link: row })
  if (outcome.kind === 'missing') throw notFound(`There is no account with the address ${email}.`)
  return { email, link: linkUrl(dashboardUrl, 'password', token) }
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

export function parseRole(text: string): Role {
  const role = ROLES.find((known) => known === text)
  if (!role) throw invalid(`"${text}" is no role: choose ${ROLES.join(', ')}.`)
  return role
}
