import { randomBytes } from 'node:crypto'

/** DNS names as the wire allows them, which is wider than hostnames: `_petstore.example.com`, `*.example.com`. */

export const ROOT = '.'

/** Lower case, no trailing dot, encodable labels; undefined when the wire cannot carry it. */
export function dnsName(raw: string): string | undefined {
  const name = raw.toLowerCase()
  if (name === ROOT) return ROOT
  const bare = name.endsWith('.') ? name.slice(0, -1) : name
  if (bare.length === 0 || bare.length > 253) return undefined
  return bare.split('.').every((label) => LABEL.test(label)) ? bare : undefined
}

/** The same name with about half of its letters in upper case. */
export function mixCase(name: string): string {
  const bits = randomBytes(name.length)
  return name.replace(/[a-z]/g, (letter, at: number) => (bits[at]! & 1 ? letter.toUpperCase() : letter))
}

export function parentOf(name: string): string {
  const dot = name.indexOf('.')
  return name === ROOT || dot === -1 ? ROOT : name.slice(dot + 1)
}

/** The name itself, then every parent, without the root: the walk of RFC 8659. */
export function namesUpToTop(name: string): string[] {
  if (name === ROOT) return []
  return [name, ...namesUpToTop(parentOf(name))]
}

/** True for the zone's apex and everything below it; every name is below the root. */
export function isInZone(name: string, apex: string): boolean {
  return apex === ROOT || name === apex || name.endsWith(`.${apex}`)
}

export function labelCount(name: string): number {
  return name === ROOT ? 0 : name.split('.').length
}

// Printable ASCII without the dot: what a zone file can hold unescaped.
const LABEL = /^[!-\-/-~]{1,63}$/
