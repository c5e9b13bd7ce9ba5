import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, FlattenedSign, type FlattenedJWS, type JWK } from 'jose'

/** An account key, ready to sign. */
export interface SigningKey {
  privateKey: KeyObject
  jwk: JWK
  thumbprint: string
}

/** Before an account exists requests carry the key itself, afterwards the account's address. */
export type KeyReference = { jwk: JWK } | { kid: string }

export async function importSigningKey(privateKeyPem: string): Promise<SigningKey> {
  const privateKey = createPrivateKey(privateKeyPem)
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' }) as JWK
  return { privateKey, jwk, thumbprint: await calculateJwkThumbprint(jwk) }
}

/** `payload` undefined makes a POST-as-GET (RFC 8555, 6.3). */
export function signRequest(
  key: SigningKey,
  header: { url: string; nonce: string } & KeyReference,
  payload: object | undefined,
): Promise<FlattenedJWS> {
  const bytes = Buffer.from(payload === undefined ? '' : JSON.stringify(payload))
  return new FlattenedSign(bytes).setProtectedHeader({ alg: 'ES256', ...header }).sign(key.privateKey)
}

export interface ExternalAccount {
  kid: string
  /** The MAC key as the CA hands it out, in base64url. */
  hmacKey: string
}

/** Ties the new account to one that the operator holds at the CA (RFC 8555, 7.3.4). */
export function bindExternalAccount(external: ExternalAccount, jwk: JWK, url: string): Promise<FlattenedJWS> {
  return new FlattenedSign(Buffer.from(JSON.stringify(jwk)))
    .setProtectedHeader({ alg: 'HS256', kid: external.kid, url })
    .sign(Buffer.from(external.hmacKey, 'base64url'))
}
