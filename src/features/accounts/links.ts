import { DAY_MS, type Clock } from '../../platform/clock.ts'
import { PetstoreError } from '../../platform/errors.ts'
import { newId } from '../../platform/id.ts'
import { iso } from '../../platform/iso-date.ts'
import type { AuditedStorage } from '../../platform/storage/storage.ts'
import type { LinkRow } from './mail/mailed-link.ts'
import { findLink } from './queries.ts'
import type { LinkKind } from './tables.ts'
import { hashToken, isToken, mintToken } from './token.ts'

const LIFE_MS: Record<LinkKind, number> = { invitation: 7 * DAY_MS, password: DAY_MS, email: DAY_MS }
const PAGE: Record<LinkKind, string> = { invitation: 'join', password: 'password', email: 'email' }

export interface NewLink {
  token: string
  row: LinkRow
}

export interface LinkView {
  kind: LinkKind
  /** Where an invitation leads. */
  project: { slug: string; name: string } | null
  role: string | null
  operator: boolean
  /** Whose password it sets, whom the invitation was made for, or the address that it confirms. */
  email: string | null
  expiresAt: string
}

type LinkPromise = Partial<Pick<LinkRow, 'account_id' | 'project_id' | 'role' | 'operator' | 'email' | 'created_by'>>

export function newLink(kind: LinkKind, promise: LinkPromise, now: number): NewLink {
  const token = mintToken()
  const row: LinkRow = {
    id: newId('lnk'),
    token_hash: hashToken(token),
    kind,
    account_id: null,
    project_id: null,
    role: null,
    operator: 0,
    email: null,
    created_by: null,
    created_at: now,
    expires_at: now + LIFE_MS[kind],
    mailed_token_hash: null,
    ...promise,
  }
  return { token, row }
}

/** The token stands behind `#`, so that it never reaches a log, a proxy or a Referer. */
export function linkUrl(dashboardUrl: string, kind: LinkKind, token: string): string {
  return `${dashboardUrl}/${PAGE[kind]}#${token}`
}

/** What a link promises, for the page that it opens. */
export async function inspectLink(needs: { storage: AuditedStorage; clock: Clock }, token: string): Promise<LinkView> {
  const link = await requireLink(needs, token)
  return {
    kind: link.kind,
    project: link.slug === null || link.projectName === null ? null : { slug: link.slug, name: link.projectName },
    role: link.role,
    operator: link.operator === 1,
    email: link.email ?? link.accountEmail,
    expiresAt: iso(link.expires_at),
  }
}

export async function requireLink(
  { storage, clock }: { storage: AuditedStorage; clock: Clock },
  token: string,
  kind?: LinkKind,
) {
  const link = isToken(token) ? await findLink(storage.read, hashToken(token), clock.now()) : undefined
  if (!link || (kind !== undefined && link.kind !== kind)) throw linkIsSpent()
  return link
}

export interface InvitationNeeds {
  storage: AuditedStorage
  clock: Clock
  isSuspended(projectId: number): boolean
}

/** Whoever was invited is no member yet, and so is not told why a project is suspended. */
export async function requireInvitation(needs: InvitationNeeds, token: string): Promise<void> {
  const { project_id: projectId } = await requireLink(needs, token, 'invitation')
  if (projectId === null || !needs.isSuspended(projectId)) return
  throw new PetstoreError('forbidden', 'This project is suspended, and nobody can join it: ask whoever invited you.')
}

export const linkIsSpent = () =>
  new PetstoreError('gone', 'This link has been used or has expired: ask whoever gave it to you for a new one.')
