import { type Clock, DAY_MS, MINUTE_MS } from '../../../platform/clock.ts'
import { conflict, invalid, notFound, PetstoreError } from '../../../platform/errors.ts'
import { newId } from '../../../platform/id.ts'
import { iso, isoOrNull } from '../../../platform/iso-date.ts'
import type { AuditedStorage, Storage } from '../../../platform/storage/storage.ts'
import type { Tables } from '../../../platform/storage/tables.ts'
import { hashKey, hintOfKey, isTokenText, mintToken } from '../format.ts'
import { findToken, findTokenByHash, listTokensOfProject } from './queries.ts'
import { TOKEN_SCOPES, type TokenScope } from './scopes.ts'
import { insertToken, LIVE_TOKENS_MAX, revokeTokenRow, touchToken } from './writes.ts'
import { beginningOf } from '../../../platform/schema.ts'

export interface TokenView {
  id: string
  name: string
  hint: string
  scopes: TokenScope[]
  createdAt: string
  expiresAt: string
  revokedAt: string | null
  /** To the minute. */
  lastUsedAt: string | null
  state: 'active' | 'expired' | 'revoked'
  /** Id of the account in whose name it acts. */
  madeBy: string
}

export interface NewToken extends TokenView {
  /** Shown this once: only its hash is stored. */
  token: string
}

interface TokensNeeds {
  storage: AuditedStorage
  clock: Clock
}

const LIFE_DAYS_DEFAULT = 90
/** Nobody remembers what an older one was for. */
export const LIFE_DAYS_MAX = 366
const TOUCH_AFTER_MS = MINUTE_MS

export async function createToken(
  { storage, clock }: TokensNeeds,
  { projectId, madeBy }: { projectId: number; madeBy: string },
  input: { name: string; scopes: readonly TokenScope[]; expiresInDays?: number | undefined },
): Promise<NewToken> {
  const scopes = TOKEN_SCOPES.filter((scope) => input.scopes.includes(scope))
  if (scopes.length === 0) throw invalid('The token was not created: choose at least one scope.')
  const now = clock.now()
  const token = mintToken()
  const row = {
    id: newId('pat'),
    project_id: projectId,
    hash: hashKey(token),
    hint: hintOfKey(token),
    name: input.name.trim(),
    scopes: scopes.join(' '),
    made_by: madeBy,
    role_max: null,
    created_at: now,
    expires_at: now + (input.expiresInDays ?? LIFE_DAYS_DEFAULT) * DAY_MS,
    revoked_at: null,
    last_used_at: null,
  }
  const { kind } = await storage.write(insertToken, row)
  if (kind === 'too_many') {
    throw conflict(`This project has ${LIVE_TOKENS_MAX} tokens that work, which is the most: revoke those nobody uses.`)
  }
  return { ...view(row, now), token }
}

export async function showToken({ storage, clock }: TokensNeeds, projectId: number, id: string) {
  const row = await findToken(storage.read, projectId, id)
  return row && view(row, clock.now())
}

export async function listTokens({ storage, clock }: TokensNeeds, projectId: number): Promise<TokenView[]> {
  return (await listTokensOfProject(storage.read, projectId)).map((row) => view(row, clock.now()))
}

export async function revokeToken({ storage, clock }: TokensNeeds, projectId: number, id: string): Promise<TokenView> {
  const now = clock.now()
  const outcome = await storage.write(revokeTokenRow, { projectId, id, now })
  if (outcome.kind === 'missing') throw notFound(`This project has no token "${beginningOf(id, 40)}".`)
  return view(outcome.token, now)
}

export interface Bearer {
  id: string
  name: string
  projectId: number
  madeBy: string
  /** The most that it may do, whatever its maker can. */
  roleMax: Tables['tokens']['role_max']
  scopes: readonly TokenScope[]
}

/** Asked on every request: a token that was revoked is refused on the next one, on every instance. */
export async function bearerOf(
  { storage, clock }: { storage: Storage; clock: Clock },
  authorization: string,
): Promise<Bearer> {
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  if (!isTokenText(token)) throw refused('This is not a Petstore token: it begins with ps_pat_.')
  const now = clock.now()
  const [row] = await findTokenByHash(storage.read, { hash: hashKey(token) })
  if (!row) throw refused('This token is not known.')
  if (row.revoked_at !== null) throw refused('This token has been revoked.')
  if (row.expires_at <= now) throw refused(`This token expired at ${iso(row.expires_at)}: create a new one.`)
  if (now - (row.last_used_at ?? 0) > TOUCH_AFTER_MS) {
    // Worth less than the request that it rides on.
    await storage.write(touchToken, { id: row.id, now }).catch(() => {})
  }
  const { id, name, project_id: projectId, made_by: madeBy, role_max: roleMax } = row
  return { id, name, projectId, madeBy, roleMax, scopes: row.scopes.split(' ') as TokenScope[] }
}

const refused = (message: string) =>
  new PetstoreError('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } })

function view(row: Tables['tokens'], now: number): TokenView {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: row.scopes.split(' ') as TokenScope[],
    createdAt: iso(row.created_at),
    expiresAt: iso(row.expires_at),
    revokedAt: isoOrNull(row.revoked_at),
    lastUsedAt: isoOrNull(row.last_used_at),
    madeBy: row.made_by,
    state: row.revoked_at !== null ? 'revoked' : row.expires_at <= now ? 'expired' : 'active',
  }
}
