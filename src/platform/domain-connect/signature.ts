import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/**
 * The signed query of an apply link, as section 8.3.2.1 of draft-ietf-dconn-domainconnect-03 has it: names sorted,
 * everything percent-encoded, RSA with SHA-256 over exactly these characters, `sig` and `key` behind them.
 */
export function signedQuery(parameters: Readonly<Record<string, string>>, privateKey: KeyObject, label: string) {
  const query = canonicalQuery(parameters)
  const signature = sign('sha256', Buffer.from(query), privateKey).toString('base64')
  return `${query}&sig=${encoded(signature)}&key=${encoded(label)}`
}

export function canonicalQuery(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

/** Whether the query was signed with this key, as it came: nothing of it is sorted or encoded anew. */
export function isSignedBy(query: string, publicKey: KeyObject): boolean {
  const pairs = query.split('&')
  const signatures = pairs.filter((pair) => pair.startsWith('sig='))
  const [signature = ''] = signatures
  if (signatures.length !== 1 || pairs.filter((pair) => pair.startsWith('key=')).length !== 1) return false
  const signed = pairs.filter((pair) => !/^(?:sig|key)=/.test(pair)).join('&')
  try {
    const bytes = Buffer.from(decodeURIComponent(signature.slice('sig='.length)), 'base64')
    return verify('sha256', Buffer.from(signed), publicKey, bytes)
  } catch {
    return false
  }
}

/** The TXT records that publish a key: a TXT string has 255 bytes, and a key of 2048 bits needs more. */
export function publicKeyRecords(publicKey: KeyObject): string[] {
  const text = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const parts = Math.ceil(text.length / FRAGMENT_CHARACTERS)
  return Array.from({ length: parts }, (_, index) => {
    const fragment = text.slice(index * FRAGMENT_CHARACTERS, (index + 1) * FRAGMENT_CHARACTERS)
    return `p=${index + 1},a=RS256,d=${fragment}`
  })
}

/** The key that the TXT records at its name publish; undefined when they publish none that can be used here. */
export function readPublicKey(records: readonly string[]): KeyObject | undefined {
  const fragments = records.map((record) => {
    const pairs = record.split(',').map((pair) => [pair.slice(0, 1), pair.slice(2)] as const)
    return Object.fromEntries(pairs) as Partial<Record<string, string>>
  })
  const isKnown = ({ p, d, a = 'RS256', t = 'x509' }: (typeof fragments)[number]) =>
    /^\d{1,3}$/.test(p ?? '') && d !== undefined && a === 'RS256' && t === 'x509'
  if (fragments.length === 0 || !fragments.every(isKnown)) return undefined
  const text = fragments.toSorted((one, other) => Number(one.p) - Number(other.p)).map(({ d }) => d)
  try {
    const key = createPublicKey({ key: Buffer.from(text.join(''), 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'rsa' ? key : undefined
  } catch {
    return undefined
  }
}

/** RFC 3986 leaves fewer characters alone than JavaScript does. */
const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const FRAGMENT_CHARACTERS = 200
