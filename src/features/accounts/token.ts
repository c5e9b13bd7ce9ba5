import { hash, randomBytes } from 'node:crypto'
import type { RandomBytes } from '../../platform/id.ts'

const TOKEN_BYTES = 32

/** What a session cookie or a one-time link carries; only its hash is stored. */
export const mintToken = (random: RandomBytes = randomBytes) => random(TOKEN_BYTES).toString('base64url')

/** 256 random bits need no slow hash. */
export const hashToken = (token: string) => hash('sha256', token, 'hex')

/** Junk is refused without a look-up. */
export const isToken = (text: string | undefined): text is string => text !== undefined && /^[\w-]{43}$/.test(text)
