/** The numbers of DNS, and records as they travel. */

export const HEADER_BYTES = 12
export const CLASS_IN = 1
export const TYPE = { NS: 2, SOA: 6, HINFO: 13, TXT: 16, OPT: 41, AXFR: 252, ANY: 255, CAA: 257 } as const

export const RCODE = {
  none: 0,
  formatError: 1,
  serverFailure: 2,
  nameError: 3,
  notImplemented: 4,
  refused: 5,
  /** Its upper part stands in the OPT record. */
  badVersion: 16,
} as const

/** Everything of a record but its owner, which the reply points at. */
export type WireRecord = Buffer

export function wireName(name: string): Buffer {
  const labels = name === '' ? [] : name.split('.')
  const parts = labels.map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label, 'latin1')]))
  return Buffer.concat([...parts, Buffer.of(0)])
}

export const nsRecord = (name: string, ttl: number) => wireRecord(TYPE.NS, ttl, wireName(name))

export const textRecord = (text: string, ttl: number) => wireRecord(TYPE.TXT, ttl, characterString(text))

export const caaRecord = (tag: string, value: string, ttl: number) =>
  wireRecord(TYPE.CAA, ttl, Buffer.concat([Buffer.of(0), characterString(tag), Buffer.from(value)]))

/** The whole answer to a question for everything (RFC 8482). */
export const anyRecord = (ttl: number) =>
  wireRecord(TYPE.HINFO, ttl, Buffer.concat([characterString('RFC8482'), characterString('')]))

interface Soa {
  mname: string
  rname: string
  serial: number
  minimum: number
}

export function soaRecord({ mname, rname, serial, minimum }: Soa, ttl: number): WireRecord {
  const numbers = Buffer.alloc(20)
  for (const [index, value] of [serial, 3600, 600, 1_209_600, minimum].entries())
    numbers.writeUInt32BE(value, 4 * index)
  return wireRecord(TYPE.SOA, ttl, Buffer.concat([wireName(mname), wireName(rname), numbers]))
}

function wireRecord(type: number, ttl: number, data: Buffer): WireRecord {
  const head = Buffer.alloc(10)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(CLASS_IN, 2)
  head.writeUInt32BE(ttl, 4)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([head, data])
}

function characterString(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.of(bytes.length), bytes])
}
