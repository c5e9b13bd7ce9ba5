import { crc32 } from 'node:zlib'
import { hash, randomBytes } from 'node:crypto'
import type { Environment } from '../../platform/http/operation.ts'
import { base62, numberAsBase62, type RandomBytes } from '../../platform/id.ts'

/**
 * `ps_live_` or `ps_test_`, 32 random base62 characters (190 bits), and a checksum of 6:
 * scanners recognise a leaked key offline, and junk is refused without a look-up.
 */
const PREFIX: Record<Environment, string> = { production: 'ps_live_', staging: 'ps_test_' }
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6

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

const checksumOf = (body: string) => numberAsBase62(crc32(body), CHECKSUM_LENGTH)
