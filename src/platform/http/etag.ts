import { hash } from 'node:crypto'

/** A strong validator of exactly these bytes. */
export function etagOf(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 22)}"`
}
