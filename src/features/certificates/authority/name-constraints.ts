import { Extension } from './x509.ts'

const NAME_CONSTRAINTS = '2.5.29.30'
const SEQUENCE = 0x30
const PERMITTED_SUBTREES = 0xa0
const DNS_NAME = 0x82
const IP_ADDRESS = 0x87
const LOOPBACK_V4 = [127, 0, 0, 0, 255, 0, 0, 0]
const LOOPBACK_V6 = [...Array<number>(15).fill(0), 1, ...Array<number>(16).fill(255)]

/**
 * Limits a root to these domains and what lies below them, and to loopback addresses. Without domains any hostname
 * is left open, but still no address other than loopback.
 */
export function nameConstraints(domains: readonly string[]): Extension {
  const subtrees = [
    ...domains.map((domain) => tlv(DNS_NAME, Buffer.from(domain, 'ascii'))),
    tlv(IP_ADDRESS, Buffer.from(LOOPBACK_V4)),
    tlv(IP_ADDRESS, Buffer.from(LOOPBACK_V6)),
  ]
  const permitted = tlv(PERMITTED_SUBTREES, Buffer.concat(subtrees.map((base) => tlv(SEQUENCE, base))))
  return new Extension(NAME_CONSTRAINTS, true, tlv(SEQUENCE, permitted))
}

/** The domains that a root made by this file is limited to; none means that any hostname is open. */
export function readPermittedDomains(certificate: { getExtension(oid: string): Extension | null }): string[] {
  const extension = certificate.getExtension(NAME_CONSTRAINTS)
  if (!extension) return []
  const permitted = elements(Buffer.from(extension.value)).flatMap(({ body }) => elements(body))
  return permitted
    .flatMap(({ body }) => elements(body))
    .flatMap(({ body }) => elements(body))
    .filter(({ tag }) => tag === DNS_NAME)
    .map(({ body }) => body.toString('ascii'))
}

function tlv(tag: number, body: Uint8Array): Buffer {
  const size = body.length < 0x80 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}

function elements(der: Buffer): { tag: number; body: Buffer }[] {
  const found: { tag: number; body: Buffer }[] = []
  for (let at = 0; at < der.length;) {
    const long = der.readUInt8(at + 1) === 0x82
    const start = at + (long ? 4 : 2)
    const end = start + (long ? der.readUInt16BE(at + 2) : der.readUInt8(at + 1))
    found.push({ tag: der.readUInt8(at), body: der.subarray(start, end) })
    at = end
  }
  return found
}
