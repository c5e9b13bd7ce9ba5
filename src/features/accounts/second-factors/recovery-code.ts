import { createHash, randomInt } from 'node:crypto'

export const RECOVERY_CODES = 10
/** Without characters that are taken for others: ten of them are 50 bits, more than any throttle lets be guessed. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 10

/** `k7mfp-2q9xw`, to be written down. */
export function mintRecoveryCode(): string {
  const characters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `${characters.slice(0, LENGTH / 2)}-${characters.slice(LENGTH / 2)}`
}

/** However it was typed. Its randomness makes a slow hash needless. */
export function hashRecoveryCode(code: string): string {
  return createHash('sha256').update(code.toLowerCase().replaceAll(/[\s-]/g, '')).digest('base64url')
}
