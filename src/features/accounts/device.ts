import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RandomBytes } from '../../platform/id.ts'
import { isToken, mintToken } from './token.ts'

interface DeviceOwner {
  id: string
  password_changed_at: number
}

/** A computer that people share: whoever has not signed in for longest makes room. */
const OWNERS_MAX = 5

/**
 * The mark of a device on which people have signed in: one seal for each account, behind a random name. It opens
 * nothing, and only keeps the attempts of this device apart from those of strangers. A new password makes the seal of
 * its account worthless. `before` is the mark that the device has shown, whatever it is worth.
 */
export function markDevice(
  secret: string,
  owner: DeviceOwner,
  before: string | undefined,
  random?: RandomBytes,
): string {
  const [nonce = mintToken(random), ...others] = partsOf(before)
  const own = seal(secret, owner, nonce)
  return [nonce, own, ...others.filter((each) => each !== own)].slice(0, 1 + OWNERS_MAX).join('.')
}

/** The name under which the account's attempts from this device are counted, if the account knows it. */
export function knownDevice(
  secret: string,
  owner: DeviceOwner | undefined,
  mark: string | undefined,
): string | undefined {
  const [nonce, ...seals] = partsOf(mark)
  if (!owner || nonce === undefined) return undefined
  const expected = Buffer.from(seal(secret, owner, nonce))
  return seals.find((each) => timingSafeEqual(expected, Buffer.from(each)))
}

/** Name and seals; nothing where there is junk. */
function partsOf(mark: string | undefined): string[] {
  const parts = mark?.split('.') ?? []
  return parts.length <= 1 + OWNERS_MAX && parts.every(isToken) ? parts : []
}

function seal(secret: string, { id, password_changed_at }: DeviceOwner, nonce: string): string {
  return createHmac('sha256', secret).update(`device ${id} ${password_changed_at} ${nonce}`).digest('base64url')
}
