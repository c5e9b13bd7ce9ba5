import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'

interface CreationOptions {
  challenge: string
  rp: { id: string }
}

/** An authenticator with one passkey, as far as adding it goes: nothing is signed there. */
export function newPasskey(origin: string) {
  const { x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  // COSE and CBOR by hand: an ES256 key, and a map of three for an attestation of the format `none`.
  const key = Buffer.concat([hex('a5010203262001215820'), base64url(x), hex('225820'), base64url(y)])
  const credentialId = randomBytes(16)
  const id = credentialId.toString('base64url')

  return {
    answer({ challenge, rp }: CreationOptions): string {
      const site = createHash('sha256').update(rp.id).digest()
      const present = hex('45', '00000000', '00'.repeat(16), '0010')
      const data = Buffer.concat([site, present, credentialId, key])
      const head = [hex('a363'), 'fmt', hex('64'), 'none', hex('67'), 'attStmt', hex('a068'), 'authData', hex('58')]
      const attestation = Buffer.concat([...head.map((part) => Buffer.from(part)), Buffer.from([data.length]), data])
      const client = JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin: false })
      const response = {
        clientDataJSON: Buffer.from(client).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
      }
      return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
    },
  }
}

const hex = (...texts: string[]) => Buffer.from(texts.join(''), 'hex')
const base64url = (text = '') => Buffer.from(text, 'base64url')
