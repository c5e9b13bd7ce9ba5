import { createHmac } from 'node:crypto'
import { SECOND_MS } from '../../../platform/clock.ts'

/** What every authenticator app assumes (RFC 6238): SHA-1, six digits, a new code every thirty seconds. */
const STEP_MS = 30 * SECOND_MS
const DIGITS = 6
export const SECRET_BYTES = 20
/** A code is still taken one step early or late: clocks differ, and people type slowly. */
const STEPS_AROUND = 1

export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE(mac.readUInt8(mac.length - 1) & 0xf) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

export const stepAt = (now: number) => Math.floor(now / STEP_MS)

/** The step whose code this is, later than the last one used: a code that was seen over a shoulder is worth nothing. */
export function stepOfCode(secret: Buffer, code: string, now: number, lastStep: number | undefined) {
  const current = stepAt(now)
  const steps = Array.from({ length: 2 * STEPS_AROUND + 1 }, (_, index) => current - STEPS_AROUND + index)
  return steps.find((step) => step > (lastStep ?? -1) && codeAt(secret, step) === code)
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** As apps want a secret to be typed. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** What the picture that an app scans says. */
export function setupUri(secret: Buffer, issuer: string, email: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}
