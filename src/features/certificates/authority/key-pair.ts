import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, type webcrypto } from 'node:crypto'
import { promisify } from 'node:util'

/** Every key of this feature: small, fast to sign with, accepted by every CA and client in use. */
export const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

const generate = promisify(generateKeyPair)

/** A new private key in PKCS #8 PEM: the form in which keys are sealed, and which TLS contexts take. */
export async function createPrivateKeyPem(): Promise<string> {
  const { privateKey } = await generate('ec', { namedCurve: KEY_ALGORITHM.namedCurve })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
}

/** The pair in the form that the X.509 library signs with. */
export function importKeyPair(privateKeyPem: string): webcrypto.CryptoKeyPair {
  const privateKey = createPrivateKey(privateKeyPem)
  return {
    privateKey: privateKey.toCryptoKey(KEY_ALGORITHM, true, ['sign']),
    publicKey: createPublicKey(privateKey).toCryptoKey(KEY_ALGORITHM, true, ['verify']),
  }
}

export const importSpki = (der: ArrayBuffer): KeyObject =>
  createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })
