import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RandomBytes } from '../../platform/id.ts'
import { isToken, mintToken } from './token.ts'

interface DeviceOwner {
  id: string
  password_changed_at: number
}

/**
 * The mark of a device on which somebody has signed in: it opens nothing, and only keeps the attempts of this
 * device apart from those of strangers. A new password makes it worthless.
 */
export function markDevice(secret: string, owner: DeviceOwner, random?: RandomBytes): string {
  const nonce = mintToken(random)
  return `${nonce}.${seal(secret, owner, nonce)}`
}

/** The name under which the device's attempts are counted, if the mark is one of this account. */
export function knownDevice(
  secret: string,
  owner: DeviceOwner | undefined,
  mark: string | undefined,
): string | undefined {
  const [nonce, mac = ''] = mark?.split('.') ?? []
  if (!owner || !isToken(nonce) || !isToken(mac)) return undefined
  const expected = Buffer.from(seal(secret, owner, nonce))
  return timingSafeEqual(expected, Buffer.from(mac)) ? nonce : undefined
}

function seal(secret: string, { id, password_changed_at }: DeviceOwner, nonce: string): string {
  return createHmac('sha256', secret).update(`device ${id} ${password_changed_at} ${nonce}`).digest('base64url')
}
