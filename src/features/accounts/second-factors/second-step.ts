import { PetstoreError } from '../../../platform/errors.ts'
import { defineWrite } from '../../../platform/storage/storage.ts'
import { accountView } from '../accounts.ts'
import type { AccountRow } from '../account-writes.ts'
import { knownDevice, markDevice } from '../device.ts'
import { findAccountById, lockAccount } from '../queries.ts'
import { insertSession, personOf, type SessionRow } from '../session-writes.ts'
import { newSession, type OpenedSession, type Visitor } from '../sessions.ts'
import { hashToken, isToken } from '../token.ts'
import { challengeIsSpent, openChallenge, requireChallenge } from './challenge.ts'
import { findPasskey, hasRecoveryCode, listFactorsOfAccount } from './factor-queries.ts'
import { failChallenge, spendRecoveryCode, spendStep, takeChallenge, usePasskey } from './factor-writes.ts'
import { isLost } from './lost-codes.ts'
import { stepOfCode } from './one-time-code.ts'
import { askForPasskey, checkPasskey, credentialIdOf, refused } from './passkeys.ts'
import { hashRecoveryCode } from './recovery-code.ts'
import { codeSecret, type FactorNeeds } from './second-factors.ts'

export interface SecondStepNeeds extends FactorNeeds {
  deviceSecret: string
}

/** What stands between a right password and a session. */
export interface SecondStep {
  ticket: string
  /** Recovery codes are always among them. */
  methods: ('passkey' | 'codes' | 'recovery')[]
  /** There is an app whose codes sign nobody in any more: its secret was lost with the master key. */
  codesLost: boolean
  /** For `navigator.credentials.get`, where the account has passkeys. */
  passkey: unknown
}

type Proof =
  | { kind: 'codes'; factorId: string; step: number }
  | { kind: 'recovery'; codeHash: string }
  | { kind: 'passkey'; factorId: string; signCount: number }

/** What the account asks for after the password that it had; undefined where the password is all. */
export async function secondStepOf(needs: FactorNeeds, account: AccountRow): Promise<SecondStep | undefined> {
  const factors = await listFactorsOfAccount(needs.storage.read, account.id)
  if (factors.length === 0) return undefined
  const passkeys = factors.flatMap((row) => row.credential_id ?? [])
  const asked = passkeys.length > 0 ? await askForPasskey(needs.party, passkeys) : undefined
  return {
    ticket: await openChallenge(needs, 'sign-in', account.id, asked?.challenge ?? '', account),
    methods: [
      ...(asked ? ['passkey' as const] : []),
      ...(factors.some((row) => row.secret !== null) ? ['codes' as const] : []),
      'recovery',
    ],
    codesLost: factors.some(isLost),
    passkey: asked?.options ?? null,
  }
}

/** The second step after a password: a code of an app, a recovery code, or a passkey. */
export async function takeSecondStep(
  needs: SecondStepNeeds,
  input: { ticket: string; code?: string | undefined; passkey?: string | undefined },
  visitor: Visitor,
): Promise<OpenedSession> {
  const challenge = await requireChallenge(needs, 'sign-in', input.ticket)
  const account = await findAccountById(needs.storage.read, challenge.account_id ?? '')
  if (!account) throw challengeIsSpent()
  const device = knownDevice(needs.deviceSecret, account, visitor.deviceMark)
  const attempt = await needs.throttle.secondStep(account.id, device)
  const proof =
    input.passkey === undefined
      ? await proofOfCode(needs, account, input.code ?? '')
      : await proofOfPasskey(needs, account.id, challenge.challenge, input.passkey)
  if (!proof) {
    await needs.storage.write(failChallenge, hashToken(input.ticket))
    throw new PetstoreError('unauthorized', 'This code is not right, or was used before: wait for the next one.')
  }
  attempt.succeeded()
  return openProved(needs, account, input.ticket, proof, visitor)
}

/** Without a password: whichever passkey the person picks says who they are. */
export async function beginPasskeySignIn(needs: FactorNeeds, { network }: Visitor) {
  await needs.throttle.askForPasskey(network)
  const { options, challenge } = await askForPasskey(needs.party)
  return { ticket: await openChallenge(needs, 'passkey-sign-in', undefined, challenge), options }
}

export async function signInByPasskey(
  needs: SecondStepNeeds,
  input: { ticket: string; passkey: string },
  visitor: Visitor,
): Promise<OpenedSession> {
  const { challenge } = await requireChallenge(needs, 'passkey-sign-in', input.ticket)
  const credentialId = credentialIdOf(input.passkey)
  const found = await findPasskey(needs.storage.read, credentialId)
  if (!found) throw refused()
  const passkey = { credentialId, publicKey: found.public_key ?? '', signCount: found.sign_count ?? 0 }
  const signCount = await checkPasskey(needs.party, challenge, input.passkey, passkey, true)
  return openProved(needs, found, input.ticket, { kind: 'passkey', factorId: found.factorId, signCount }, visitor)
}

async function proofOfCode(needs: FactorNeeds, account: AccountRow, code: string): Promise<Proof | undefined> {
  const digits = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) {
    const codeHash = hashRecoveryCode(code)
    return (await hasRecoveryCode(needs.storage.read, account.id, codeHash))
      ? { kind: 'recovery', codeHash }
      : undefined
  }
  const factors = await listFactorsOfAccount(needs.storage.read, account.id)
  for (const { id, secret: sealed, last_step } of factors) {
    if (sealed === null) continue
    const secret = Buffer.from(needs.sealer.open(codeSecret(account.id), sealed), 'base64url')
    const step = stepOfCode(secret, digits, needs.clock.now(), last_step ?? undefined)
    if (step !== undefined) return { kind: 'codes', factorId: id, step }
  }
  return undefined
}

async function proofOfPasskey(
  needs: FactorNeeds,
  accountId: string,
  challenge: string,
  answer: string,
): Promise<Proof | undefined> {
  const credentialId = credentialIdOf(answer)
  const factors = await listFactorsOfAccount(needs.storage.read, accountId)
  const factor = factors.find((row) => row.credential_id === credentialId)
  if (!factor) throw refused()
  const passkey = { credentialId, publicKey: factor.public_key ?? '', signCount: factor.sign_count ?? 0 }
  const signCount = await checkPasskey(needs.party, challenge, answer, passkey, false)
  return { kind: 'passkey', factorId: factor.id, signCount }
}

async function openProved(
  needs: SecondStepNeeds,
  account: AccountRow,
  ticket: string,
  proof: Proof,
  visitor: Visitor,
): Promise<OpenedSession> {
  const now = needs.clock.now()
  const { token, row: session } = newSession(account.id, visitor, now)
  const endTokenHash = isToken(visitor.sessionToken) ? hashToken(visitor.sessionToken) : undefined
  const outcome = await needs.storage.write(openProvedSession, {
    session,
    email: account.email,
    challengeHash: hashToken(ticket),
    proof,
    endTokenHash,
    newDevice: knownDevice(needs.deviceSecret, account, visitor.deviceMark) === undefined,
    now,
  })
  if (outcome.kind === 'spent') throw challengeIsSpent()
  const deviceMark = markDevice(needs.deviceSecret, account, visitor.deviceMark)
  return { account: accountView(account), token, deviceMark }
}

/** Ticket, proof and session in one step: of two who show the same code at once, one gets in. */
export const openProvedSession = defineWrite(
  'accounts.openProvedSession',
  async (
    db,
    input: {
      session: SessionRow
      email: string
      challengeHash: string
      proof: Proof
      endTokenHash: string | undefined
      newDevice: boolean
      now: number
    },
    engine,
  ) => {
    const { session, proof, now } = input
    await lockAccount(db, engine, session.account_id)
    if (!(await takeChallenge(db, input.challengeHash))) return { kind: 'spent' as const }
    if (proof.kind === 'codes' && !(await spendStep(db, proof.factorId, proof.step, now)))
      return { kind: 'spent' as const }
    if (proof.kind === 'recovery' && !(await spendRecoveryCode(db, session.account_id, proof.codeHash)))
      return { kind: 'spent' as const }
    if (proof.kind === 'passkey' && !(await usePasskey(db, proof.factorId, proof.signCount, now)))
      return { kind: 'spent' as const }
    if (input.endTokenHash) await db.deleteFrom('sessions').where('token_hash', '=', input.endTokenHash).execute()
    await insertSession(db, session)
    return { kind: 'opened' as const }
  },
  {
    note: ({ session, email, proof, newDevice }, outcome) => {
      if (outcome.kind !== 'opened') return undefined
      const { id, account_id: accountId, network, user_agent: userAgent } = session
      const details = { network, userAgent, newDevice, with: proof.kind }
      return { verb: 'session.open', subject: id, accountId, details, actor: personOf({ id: accountId, email }) }
    },
  },
)
