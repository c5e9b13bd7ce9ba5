import { crc32 } from 'node:zlib'
import { hash, randomBytes } from 'node:crypto'
import type { Environment } from '../../platform/http/operation.ts'

/**
 * `ps_live_` or `ps_test_`, 32 random base62 characters (190 bits), and a checksum of 6:
 * scanners recognise a leaked key offline, and junk is refused without a look-up.
 */
const PREFIX: Record<Environment, string> = { production: 'ps_live_', staging: 'ps_test_' }
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6

export type RandomBytes = (size: number) => Buffer

export function mintKey(environment: Environment, random: RandomBytes = randomBytes): string {
  const body = PREFIX[environment] + base62(SECRET_LENGTH, random)
  return body + checksumOf(body)
}

/** The environment that a well-formed key belongs to. */
export function environmentOfKey(key: string): Environment | undefined {
  if (!/^ps_(?:live|test)_[0-9A-Za-z]{38}$/.test(key)) return undefined
  if (checksumOf(key.slice(0, -CHECKSUM_LENGTH)) !== key.slice(-CHECKSUM_LENGTH)) return undefined
  return key.startsWith(PREFIX.production) ? 'production' : 'staging'
}

/** What is stored: 190 random bits need no slow hash. */
export const hashKey = (key: string) => hash('sha256', key, 'hex')

/** Enough to recognise a key in a list, too little to use it. */
export const hintOfKey = (key: string) => `${key.slice(0, 12)}…${key.slice(-4)}`

export function randomId(prefix: string, random: RandomBytes = randomBytes): string {
  return `${prefix}_${base62(16, random)}`
}

function checksumOf(body: string): string {
  let value = crc32(body)
  let text = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    text = BASE62[value % 62] + text
    value = Math.floor(value / 62)
  }
  return text
}

function base62(length: number, random: RandomBytes): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(length)) {
      // 248 is the largest multiple of 62 in a byte: beyond it the first letters would be likelier.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62]
    }
  }
  return text
}
