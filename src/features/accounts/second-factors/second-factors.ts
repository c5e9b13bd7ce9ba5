import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../platform/clock.ts'
import { conflict, notFound, PetstoreError } from '../../../platform/errors.ts'
import { newId } from '../../../platform/id.ts'
import { iso, isoOrNull } from '../../../platform/iso-date.ts'
import type { AuditedStorage } from '../../../platform/storage/storage.ts'
import { requireOwnPassword } from '../passwords/own-password.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { SignedIn } from '../sessions.ts'
import type { FactorKind } from '../tables.ts'
import type { SignInThrottle } from '../throttle.ts'
import { hashToken } from '../token.ts'
import { challengeIsSpent, openChallenge, requireChallenge } from './challenge.ts'
import { countRecoveryCodes, listFactorsOfAccount } from './factor-queries.ts'
import { type FactorRow, failChallenge, insertFactor, removeFactorRow, renewRecoveryCodes } from './factor-writes.ts'
import { isLost } from './lost-codes.ts'
import { base32, SECRET_BYTES, setupUri, stepOfCode } from './one-time-code.ts'
import { askForNewPasskey, newPasskeyOf, type RelyingParty } from './passkeys.ts'
import { hashRecoveryCode, mintRecoveryCode, RECOVERY_CODES } from './recovery-code.ts'
import type { SecretSealer } from './secret-sealer.ts'

export interface FactorNeeds {
  storage: AuditedStorage
  clock: Clock
  passwords: Passwords
  throttle: SignInThrottle
  party: RelyingParty
  sealer: SecretSealer
}

interface FactorView {
  id: string
  kind: FactorKind
  name: string
  createdAt: string
  lastUsedAt: string | null
  /** The secret of these codes was lost with the master key: they sign nobody in. */
  lost: boolean
}

interface AddedFactor {
  factor: FactorView
  /** With the first factor only, and shown this once. */
  recoveryCodes: string[] | null
}

const LAST_WAY_IN =
  'Nothing else signs you in: of the app that is left the codes are lost, and you have no recovery codes. Remove ' +
  'that app first, make new recovery codes, or add a passkey.'

export const codeSecret = (accountId: string) => ({ purpose: 'one-time codes', id: accountId })

export async function listFactors({ storage }: Pick<FactorNeeds, 'storage'>, who: Pick<SignedIn, 'id'>) {
  const factors = (await listFactorsOfAccount(storage.read, who.id)).map(factorView)
  return { factors, recoveryCodesLeft: await countRecoveryCodes(storage.read, who.id) }
}

/** The secret for an authenticator app; nothing is switched on until a code of it was given. */
export async function beginCodes(needs: FactorNeeds, who: SignedIn, password: string) {
  await requireOwnPassword(needs, who, password)
  const secret = randomBytes(SECRET_BYTES)
  const sealed = needs.sealer.seal(codeSecret(who.id), secret.toString('base64url'))
  const ticket = await openChallenge(needs, 'add-codes', who.id, sealed)
  return { ticket, secret: base32(secret), uri: setupUri(secret, needs.party.name, who.email) }
}

export async function confirmCodes(
  needs: FactorNeeds,
  who: SignedIn,
  input: { ticket: string; code: string; name: string },
): Promise<AddedFactor> {
  const { challenge: sealed } = await requireChallenge(needs, 'add-codes', input.ticket, who.id)
  const now = needs.clock.now()
  const secret = Buffer.from(needs.sealer.open(codeSecret(who.id), sealed), 'base64url')
  const step = stepOfCode(secret, input.code, now, undefined)
  if (step === undefined) {
    await needs.storage.write(failChallenge, hashToken(input.ticket))
    throw new PetstoreError(
      'forbidden',
      'This is not the code that the app shows now: wait for the next, and check the clock.',
    )
  }
  return addFactor(needs, who, input.ticket, {
    ...newFactor(who.id, 'codes', input.name, now),
    secret: sealed,
    last_step: step,
  })
}

export async function beginPasskey(needs: FactorNeeds, who: SignedIn, password: string) {
  await requireOwnPassword(needs, who, password)
  const known = (await listFactorsOfAccount(needs.storage.read, who.id)).flatMap((row) => row.credential_id ?? [])
  const { options, challenge } = await askForNewPasskey(needs.party, who, known)
  return { ticket: await openChallenge(needs, 'add-passkey', who.id, challenge), options }
}

export async function confirmPasskey(
  needs: FactorNeeds,
  who: SignedIn,
  input: { ticket: string; passkey: string; name: string },
): Promise<AddedFactor> {
  const { challenge } = await requireChallenge(needs, 'add-passkey', input.ticket, who.id)
  const { credentialId, publicKey, signCount } = await newPasskeyOf(needs.party, challenge, input.passkey)
  return addFactor(needs, who, input.ticket, {
    ...newFactor(who.id, 'passkey', input.name, needs.clock.now()),
    credential_id: credentialId,
    public_key: publicKey,
    sign_count: signCount,
  })
}

export async function removeFactor(needs: FactorNeeds, who: SignedIn, id: string, password: string): Promise<void> {
  await requireOwnPassword(needs, who, password)
  const { kind } = await needs.storage.write(removeFactorRow, { accountId: who.id, id })
  if (kind === 'missing') throw notFound('Your account has no such passkey or app.')
  if (kind === 'last-way-in') throw conflict(LAST_WAY_IN)
}

/** The old ones stop working. */
export async function renewCodes(needs: FactorNeeds, who: SignedIn, password: string): Promise<string[]> {
  await requireOwnPassword(needs, who, password)
  const codes = newRecoveryCodes()
  const hashes = codes.map(hashRecoveryCode)
  const { kind } = await needs.storage.write(renewRecoveryCodes, { accountId: who.id, hashes })
  if (kind === 'no-factor') throw conflict('Recovery codes come with a passkey or one-time codes: add one first.')
  return codes
}

async function addFactor(needs: FactorNeeds, who: SignedIn, ticket: string, factor: FactorRow): Promise<AddedFactor> {
  const codes = newRecoveryCodes()
  const outcome = await needs.storage.write(insertFactor, {
    factor,
    challengeHash: hashToken(ticket),
    recoveryHashes: codes.map(hashRecoveryCode),
    sessionId: who.sessionId,
  })
  if (outcome.kind === 'spent') throw challengeIsSpent()
  if (outcome.kind === 'too-many') throw conflict('An account has at most 20 passkeys and apps: remove one first.')
  if (outcome.kind === 'in-use') throw conflict('This passkey is in use already: make a new one.')
  return { factor: factorView(factor), recoveryCodes: outcome.isFirst ? codes : null }
}

const newRecoveryCodes = () => Array.from({ length: RECOVERY_CODES }, mintRecoveryCode)

const newFactor = (accountId: string, kind: FactorKind, name: string, now: number): FactorRow => ({
  id: newId('fac'),
  account_id: accountId,
  kind,
  name: name.trim(),
  created_at: now,
  last_used_at: null,
  secret: null,
  last_step: null,
  credential_id: null,
  public_key: null,
  sign_count: null,
})

function factorView({ id, kind, name, created_at, last_used_at, secret }: FactorRow): FactorView {
  const lost = isLost({ kind, secret })
  return { id, kind, name, createdAt: iso(created_at), lastUsedAt: isoOrNull(last_used_at), lost }
}
