import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { invalid, PetstoreError } from '../../../platform/errors.ts'

/** Whose passkeys they are: browsers show the name, and give a passkey to no other address. */
export interface RelyingParty {
  readonly name: string
  /** The dashboard's hostname. */
  readonly id: string
  readonly origin: string
}

interface StoredPasskey {
  readonly credentialId: string
  readonly publicKey: string
  readonly signCount: number
}

/** Loaded when the first person uses a passkey: its certificates and formats would cost every start 100 ms. */
const webauthn = () => import('@simplewebauthn/server')

/** What the browser is to be asked, and the challenge that its answer must be for. */
export async function askForNewPasskey(party: RelyingParty, owner: { id: string; email: string }, known: string[]) {
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userName: owner.email,
    userID: new Uint8Array(Buffer.from(owner.id)),
    attestationType: 'none',
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  return { options, challenge: options.challenge }
}

export async function newPasskeyOf(party: RelyingParty, challenge: string, text: string): Promise<StoredPasskey> {
  const { verifyRegistrationResponse } = await webauthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: parse<RegistrationResponseJSON>(text),
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
  }).catch(refuse)
  if (!registrationInfo) throw refused()
  const { id, publicKey, counter } = registrationInfo.credential
  return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), signCount: counter }
}

/** Of any passkey that the browser has for this address, or of these. */
export async function askForPasskey(party: RelyingParty, known?: string[]) {
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    userVerification: known ? 'preferred' : 'required',
    ...(known ? { allowCredentials: known.map((id) => ({ id })) } : {}),
  })
  return { options, challenge: options.challenge }
}

export const credentialIdOf = (text: string) => parse<AuthenticationResponseJSON>(text).id

/** The new count of signatures. Without a password the device must have seen that it is the person. */
export async function checkPasskey(
  party: RelyingParty,
  challenge: string,
  text: string,
  { credentialId, publicKey, signCount }: StoredPasskey,
  mustVerifyPerson: boolean,
): Promise<number> {
  const { verifyAuthenticationResponse } = await webauthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: parse<AuthenticationResponseJSON>(text),
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: {
      id: credentialId,
      publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
      counter: signCount,
    },
    requireUserVerification: mustVerifyPerson,
  }).catch(refuse)
  if (!verified) throw refused()
  return authenticationInfo.newCounter
}

function parse<Response extends { id: string }>(text: string): Response {
  try {
    const response: unknown = JSON.parse(text)
    const { id } = (response ?? {}) as { id?: unknown }
    if (typeof id === 'string' && BASE64URL.test(id)) return response as Response
  } catch {
    // The same sentence for whatever it is.
  }
  throw invalid('passkey must be the JSON text of what the browser answered.')
}

const BASE64URL = /^[\w-]+$/

/** Whatever the library finds wrong is about the answer, never about us. */
function refuse(): never {
  throw refused()
}

export const refused = () =>
  new PetstoreError('unauthorized', 'This passkey was not accepted. Try again, or sign in another way.')
