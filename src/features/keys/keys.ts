import type { Clock } from '../../platform/clock.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { ENVIRONMENTS, type Environment, type Scope } from '../../platform/http/operation.ts'
import { newId } from '../../platform/id.ts'
import { iso, isoOrNull } from '../../platform/iso-date.ts'
import type { AuditedStorage } from '../../platform/storage/storage.ts'
import { hashKey, hintOfKey, mintKey } from './format.ts'
import { findLastUse, listKeysOfProject } from './queries.ts'
import { EXPIRY_MAX, insertKey, LIVE_KEYS_MAX, revokeKeyRow, rotateKeyRow } from './writes.ts'

export interface KeyView {
  id: string
  name: string
  environment: Environment
  hint: string
  scopes: Scope[]
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
  state: 'active' | 'expired' | 'revoked'
  /** Id of the account that made it or has taken it over; null for those that no account made. */
  madeBy: string | null
  /** Id of the key that it was rotated from, which lives on until it expires. */
  replaces: string | null
}

export interface NewKey extends KeyView {
  /** Shown this once: only its hash is stored. */
  key: string
}

interface KeysNeeds {
  storage: AuditedStorage
  clock: Clock
}

export const DEFAULT_OVERLAP_MS = 24 * 3_600_000

export async function createKey(
  { storage, clock }: KeysNeeds,
  projectId: number,
  input: {
    environment: string
    name?: string
    scopes?: readonly string[]
    expiresAt?: number | undefined
    madeBy?: string
  },
): Promise<NewKey> {
  const environment = parseEnvironment(input.environment)
  const now = clock.now()
  const { expiresAt = EXPIRY_MAX } = input
  if (!(expiresAt > now)) throw invalid('The expiry must lie in the future.')
  if (expiresAt > EXPIRY_MAX) throw invalid('The expiry must lie before the year 10000.')
  const key = mintKey(environment)
  const row = {
    id: newId('key'),
    project_id: projectId,
    environment,
    hash: hashKey(key),
    hint: hintOfKey(key),
    name: parseName(input.name ?? 'API key'),
    scopes: parseScopes(input.scopes ?? ['read', 'write']).join(' '),
    created_at: now,
    expires_at: input.expiresAt ?? null,
    rotated_from: null,
    made_by: input.madeBy ?? null,
  }
  const { kind } = await storage.write(insertKey, row)
  if (kind === 'too_many') throw tooManyKeys(`has ${LIVE_KEYS_MAX} keys that work, which is the most`)
  return { ...view({ ...row, revoked_at: null, last_used_at: null }, now), key }
}

export async function listKeys(
  { storage, clock }: KeysNeeds,
  projectId: number,
  environment?: string,
): Promise<KeyView[]> {
  const rows = await listKeysOfProject(
    storage.read,
    projectId,
    environment === undefined ? undefined : parseEnvironment(environment),
  )
  return rows.map((row) => view(row, clock.now()))
}

export async function revokeKey({ storage, clock }: KeysNeeds, projectId: number, id: string): Promise<KeyView> {
  const now = clock.now()
  const outcome = await storage.write(revokeKeyRow, { projectId, id, now })
  if (outcome.kind === 'missing') throw noSuchKey(id)
  return view({ ...outcome.key, last_used_at: await findLastUse(storage.read, id) }, now)
}

/** A new key with the same rights; the old one goes on working for the overlap, so that nothing stops meanwhile. */
export async function rotateKey(
  { storage, clock }: KeysNeeds,
  projectId: number,
  id: string,
  { overlapMs = DEFAULT_OVERLAP_MS, madeBy }: { overlapMs?: number | undefined; madeBy?: string } = {},
): Promise<NewKey> {
  if (!(overlapMs >= 0)) throw invalid('The overlap must not be negative.')
  const now = clock.now()
  // The write knows which environment the old key has; one of the two minted here is thrown away.
  const minted = { production: mintKey('production'), staging: mintKey('staging') }
  const prepared = (key: string) => ({ id: newId('key'), hash: hashKey(key), hint: hintOfKey(key) })
  const outcome = await storage.write(rotateKeyRow, {
    projectId,
    id,
    successor: { production: prepared(minted.production), staging: prepared(minted.staging) },
    oldExpiresAt: now + overlapMs,
    madeBy,
    now,
  })
  if (outcome.kind === 'missing') throw noSuchKey(id)
  if (outcome.kind === 'dead') throw conflict('This key is revoked or expired: create a new one instead.')
  if (outcome.kind === 'too_many') throw tooManyKeys('has too many keys that were rotated and still work')
  const { key } = outcome
  return { ...view({ ...key, revoked_at: null, last_used_at: null }, now), key: minted[key.environment] }
}

function parseEnvironment(text: string): Environment {
  const environment = ENVIRONMENTS.find((known) => known === text)
  if (!environment) throw invalid(`"${text}" is no environment: choose production or staging.`)
  return environment
}

function parseScopes(names: readonly string[]): Scope[] {
  const scopes = (['read', 'write'] as const).filter((scope) => names.includes(scope))
  if (scopes.length === 0 || scopes.length !== new Set(names).size) {
    throw invalid('The scopes must be read, write or both.')
  }
  return scopes
}

function parseName(text: string): string {
  const name = text.trim()
  if (name.length === 0 || name.length > 100) throw invalid('The name of a key must be 1 to 100 characters long.')
  return name
}

const tooManyKeys = (what: string) => conflict(`This project ${what}: revoke those that nothing uses any more.`)

const noSuchKey = (id: string) => notFound(`This project has no key "${id}". List them with: petstore keys list`)

interface KeyRow {
  id: string
  name: string
  environment: Environment
  hint: string
  scopes: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
  made_by: string | null
  rotated_from: string | null
}

function view(row: KeyRow, now: number): KeyView {
  const expired = row.expires_at !== null && row.expires_at <= now
  return {
    id: row.id,
    name: row.name,
    environment: row.environment,
    hint: row.hint,
    scopes: row.scopes.split(' ') as Scope[],
    createdAt: iso(row.created_at),
    expiresAt: isoOrNull(row.expires_at),
    revokedAt: isoOrNull(row.revoked_at),
    lastUsedAt: isoOrNull(row.last_used_at),
    madeBy: row.made_by,
    replaces: row.rotated_from,
    state: row.revoked_at === null ? (expired ? 'expired' : 'active') : 'revoked',
  }
}
