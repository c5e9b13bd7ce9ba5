import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Where a secret lives: it opens only there, so that a sealed key moved to another row is noticed. */
interface VaultPlace {
  /** What the secret is for, such as `certificate key`. */
  purpose: string
  /** The row that holds it. */
  id: string
}

export const certificateKey = (id: string): VaultPlace => ({ purpose: 'certificate key', id })
export const orderKey = (hostname: string): VaultPlace => ({ purpose: 'order key', id: hostname })
export const accountKey = (directoryUrl: string): VaultPlace => ({ purpose: 'ACME account key', id: directoryUrl })
export const rootKey = (id: string): VaultPlace => ({ purpose: 'root key', id })

export interface Vault {
  /** Which master key this vault seals with: safe to print and to compare. */
  readonly keyId: string
  seal(place: VaultPlace, secret: string): string
  open(place: VaultPlace, sealed: string): string
}

type VaultFailure = 'malformed' | 'other_key' | 'altered'

export class VaultError extends Error {
  readonly reason: VaultFailure

  constructor(reason: VaultFailure, message: string) {
    super(message)
    this.name = 'VaultError'
    this.reason = reason
  }
}

const VERSION = 'v1'
const MASTER_KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM under a key derived from the master key. Envelope: `v1.<key id>.<nonce>.<ciphertext and tag>`.
 * Nonces are random: safe up to about 2^32 seals under one master key (NIST SP 800-38D).
 */
export function createVault(masterKey: Uint8Array): Vault {
  if (masterKey.length !== MASTER_KEY_BYTES) {
    throw new Error(`The master key must have exactly ${MASTER_KEY_BYTES} bytes, not ${masterKey.length}.`)
  }
  const sealingKey = derive(masterKey, 'petstore vault sealing v1', 32)
  const keyId = derive(masterKey, 'petstore vault key id v1', 6).toString('base64url')

  return {
    keyId,

    seal(place, secret) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(bind(place, keyId))
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return [VERSION, keyId, nonce.toString('base64url'), sealed.toString('base64url')].join('.')
    },

    open(place, sealed) {
      const envelope = parse(sealed)
      if (envelope.keyId !== keyId) {
        throw new VaultError(
          'other_key',
          `The ${place.purpose} of ${place.id} was sealed with another master key (${envelope.keyId}, this one is ` +
            `${keyId}). Start again with the master key that was in use when it was stored.`,
        )
      }
      const tag = envelope.body.subarray(-TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, envelope.nonce, { authTagLength: TAG_BYTES })
        .setAAD(bind(place, keyId))
        .setAuthTag(tag)
      try {
        return decipher.update(envelope.body.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        throw new VaultError(
          'altered',
          `The ${place.purpose} of ${place.id} does not open: it was changed, or it was sealed for another row. ` +
            'Restore it from a backup, or delete it so that a new one is made.',
        )
      }
    },
  }
}

function parse(sealed: string) {
  const parts = sealed.split('.')
  const [version, keyId = '', nonceText = '', bodyText = ''] = parts
  const nonce = Buffer.from(nonceText, 'base64url')
  const body = Buffer.from(bodyText, 'base64url')
  if (parts.length !== 4 || version !== VERSION || nonce.length !== NONCE_BYTES || body.length < TAG_BYTES) {
    throw new VaultError('malformed', 'This is no sealed secret of a version that this release can open.')
  }
  return { keyId, nonce, body }
}

/** JSON keeps `("a", "bc")` and `("ab", "c")` apart. */
const bind = (place: VaultPlace, keyId: string) =>
  Buffer.from(JSON.stringify([VERSION, keyId, place.purpose, place.id]), 'utf8')

const derive = (masterKey: Uint8Array, info: string, bytes: number) =>
  Buffer.from(hkdfSync('sha256', masterKey, new Uint8Array(0), info, bytes))
