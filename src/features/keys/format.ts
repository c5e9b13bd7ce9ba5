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

const TOKEN_PREFIX = 'ps_pat_'

export const mintKey = (environment: Environment, random: RandomBytes = randomBytes) =>
  mint(PREFIX[environment], random)

/** For the management interface: of the same form, so that scanners know one rule. */
export const mintToken = (random: RandomBytes = randomBytes) => mint(TOKEN_PREFIX, random)

function mint(prefix: string, random: RandomBytes): string {
  const body = prefix + base62(SECRET_LENGTH, random)
  return body + checksumOf(body)
}

/** The environment that a well-formed key belongs to. */
export function environmentOfKey(key: string): Environment | undefined {
  if (!/^ps_(?:live|test)_[0-9A-Za-z]{38}$/.test(key)) return undefined
  if (!hasChecksum(key)) return undefined
  return key.startsWith(PREFIX.production) ? 'production' : 'staging'
}

export const isTokenText = (text: string) => /^ps_pat_[0-9A-Za-z]{38}$/.test(text) && hasChecksum(text)

const hasChecksum = (text: string) => checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)

/** What is stored: 190 random bits need no slow hash. */
export const hashKey = (key: string) => hash('sha256', key, 'hex')

/** Enough to recognise a key in a list, too little to use it. */
export const hintOfKey = (key: string) => `${key.slice(0, 12)}…${key.slice(-4)}`

const checksumOf = (body: string) => numberAsBase62(crc32(body), CHECKSUM_LENGTH)
