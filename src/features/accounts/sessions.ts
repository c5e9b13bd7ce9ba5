import { DAY_MS, MINUTE_MS, type Clock } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/id.ts'
import { iso } from '../../platform/iso-date.ts'
import type { AuditedStorage } from '../../platform/storage/storage.ts'
import type { Account } from './accounts.ts'
import { findAccountById, findSessionByToken, listSessionsOfAccount } from './queries.ts'
import { endSessions, type SessionRow, touchSession } from './session-writes.ts'
import { hashToken, isToken, mintToken } from './token.ts'

const IDLE_MAX_MS = 14 * DAY_MS
const LIFE_MAX_MS = 90 * DAY_MS
/** Often enough to say when a session was last used, seldom enough to cost nothing. */
const TOUCH_AFTER_MS = 5 * MINUTE_MS

/** Where a request comes from, as far as people will want to recognise it. */
export interface Visitor {
  network: string
  userAgent: string
  /** The session cookie that came along, whatever it is worth. */
  sessionToken: string | undefined
  deviceMark: string | undefined
}

/** What the person's browser keeps from now on. */
export interface OpenedSession {
  account: Account
  token: string
  deviceMark: string
}

/** Who is signed in, for the length of one request. */
export interface SignedIn {
  sessionId: string
  id: string
  email: string
  name: string
  operator: boolean
  createdAt: number
  passwordChangedAt: number
  passwordHash: string | undefined
  confirmed: boolean
  mustConfirm: boolean
}

export interface SessionView {
  id: string
  createdAt: string
  lastSeenAt: string
  expiresAt: string
  userAgent: string
  network: string
  current: boolean
}

/** Asked on every request: an ended session is over at once, on every instance. */
export async function whoIs(
  { storage, clock }: { storage: AuditedStorage; clock: Clock },
  token: string | undefined,
): Promise<SignedIn | undefined> {
  if (!isToken(token)) return undefined
  const now = clock.now()
  const [row] = await findSessionByToken(storage.read, { tokenHash: hashToken(token), now })
  if (!row) return undefined
  if (now - row.last_seen_at > TOUCH_AFTER_MS) {
    const expiresAt = Math.min(now + IDLE_MAX_MS, row.session_created_at + LIFE_MAX_MS)
    // Worth less than the request that it rides on: where it cannot be written, the next request tries again.
    await storage.write(touchSession, { id: row.session_id, now, expiresAt }).catch(() => {})
  }
  return {
    sessionId: row.session_id,
    id: row.id,
    email: row.email,
    name: row.name,
    operator: row.operator === 1,
    createdAt: row.created_at,
    passwordChangedAt: row.password_changed_at,
    passwordHash: row.password_hash ?? undefined,
    confirmed: row.email_confirmed_at !== null,
    mustConfirm: row.must_confirm === 1,
  }
}

/** Whom a token acts for. It never runs the platform, whoever has made it. */
export async function maker(
  { storage }: { storage: Pick<AuditedStorage, 'read'> },
  { id, madeBy }: { id: string; madeBy: string },
): Promise<SignedIn | undefined> {
  const row = await findAccountById(storage.read, madeBy)
  if (!row) return undefined
  return {
    sessionId: id,
    id: row.id,
    email: row.email,
    name: row.name,
    operator: false,
    createdAt: row.created_at,
    passwordChangedAt: row.password_changed_at,
    passwordHash: undefined,
    confirmed: row.email_confirmed_at !== null,
    mustConfirm: row.must_confirm === 1,
  }
}

export function signedInView(who: SignedIn): Account {
  const { id, email, name, operator, createdAt, confirmed, mustConfirm } = who
  return { id, email, name, operator, createdAt: iso(createdAt), confirmed, mustConfirm }
}

/** A session to be stored, and the token that only its owner will have. */
export function newSession(accountId: string, visitor: Visitor, now: number): { token: string; row: SessionRow } {
  const token = mintToken()
  const row = {
    id: newId('ses'),
    token_hash: hashToken(token),
    account_id: accountId,
    created_at: now,
    last_seen_at: now,
    expires_at: now + IDLE_MAX_MS,
    user_agent: visitor.userAgent.slice(0, 200),
    network: visitor.network,
  }
  return { token, row }
}

export async function listSessions(
  { storage, clock }: { storage: AuditedStorage; clock: Clock },
  who: SignedIn,
): Promise<SessionView[]> {
  const rows = await listSessionsOfAccount(storage.read, who.id, clock.now())
  return rows.map((row) => ({
    id: row.id,
    createdAt: iso(row.created_at),
    lastSeenAt: iso(row.last_seen_at),
    expiresAt: iso(row.expires_at),
    userAgent: row.user_agent,
    network: row.network,
    current: row.id === who.sessionId,
  }))
}

export async function endSession(
  { storage }: { storage: AuditedStorage },
  who: SignedIn,
  id = who.sessionId,
): Promise<void> {
  const { ended } = await storage.write(endSessions, { accountId: who.id, id })
  if (ended === 0 && id !== who.sessionId) throw notFound('This session has ended already.')
}

export async function endOtherSessions(
  { storage }: { storage: AuditedStorage },
  who: SignedIn,
): Promise<{ ended: number }> {
  return storage.write(endSessions, { accountId: who.id, except: who.sessionId })
}
