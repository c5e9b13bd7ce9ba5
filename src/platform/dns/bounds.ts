/**
 * What one message may ask of whoever decodes it. A compressed name takes 2 bytes of the packet and up to 255 of
 * memory, so that bytes alone bound nothing: 64 KiB can hold 4,660 names of 126 labels, which cost 184 ms to decode.
 * 512 records of 64 bytes of name are more than any honest set has, and cost about 5 ms.
 */
export const MESSAGE_BYTES_MAX = 32 * 1024
const RECORDS_MAX = 512
const NAME_BYTES_MAX = 32 * 1024

export interface MessageSize {
  records: number
  /** Of all names, written out. */
  nameBytes: number
}

/** Counts what is in a packet without building any of it, in time that grows with its bytes; undefined: malformed. */
export function measureMessage(packet: Buffer): MessageSize | undefined {
  try {
    const [questions, ...sections] = [4, 6, 8, 10].map((at) => packet.readUInt16BE(at))
    const records = sections.reduce((sum, count) => sum + count, 0)
    // A record takes 11 bytes at least, and a question 5.
    if (HEADER_BYTES + 5 * questions! + 11 * records > packet.length) return undefined
    if (questions! + records > RECORDS_MAX) return { records, nameBytes: 0 }
    return { records, nameBytes: nameBytesIn(packet, questions!, records) }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Why a message is not decoded; undefined when it may be. */
export function tooLarge(bytes: number, { records, nameBytes }: MessageSize): string | undefined {
  if (bytes > MESSAGE_BYTES_MAX) return `a reply of ${bytes} bytes, and at most ${MESSAGE_BYTES_MAX} are read`
  if (records > RECORDS_MAX) return `a reply of ${records} records, and at most ${RECORDS_MAX} are read`
  if (nameBytes <= NAME_BYTES_MAX) return undefined
  return `a reply whose names take ${nameBytes} bytes, and at most ${NAME_BYTES_MAX} are read`
}

function nameBytesIn(packet: Buffer, questions: number, records: number): number {
  const known = new Map<number, number>()
  let total = 0
  let at = HEADER_BYTES
  const readName = () => {
    const { bytes, end } = measureName(packet, at, known)
    total += bytes
    at = end
  }
  for (let index = 0; index < questions; index++) {
    readName()
    at += 4
  }
  for (let index = 0; index < records; index++) {
    readName()
    const type = packet.readUInt16BE(at)
    const dataBytes = packet.readUInt16BE(at + 8)
    const data = at + 10
    const { skip = 0, names = 0, weight = 0 } = NAMES_IN_DATA[type] ?? {}
    total += weight * dataBytes
    at = data + skip
    for (let name = 0; name < names; name++) readName()
    at = data + dataBytes
  }
  return total
}

/** Pointers lead only backwards, and what one leads to is measured once. */
function measureName(packet: Buffer, start: number, known: Map<number, number>): { bytes: number; end: number } {
  let bytes = 1
  let at = start
  let end: number | undefined
  let jump: { target: number; bytesBefore: number } | undefined
  for (let earliest = start; ;) {
    const length = packet.readUInt8(at)
    if (length === 0) break
    if (length < 0x40) {
      bytes += length + 1
      at += length + 1
      if (bytes > NAME_MAX) throw new RangeError('a name is too long')
      continue
    }
    const target = packet.readUInt16BE(at) - 0xc000
    if (target < 0 || target >= earliest) throw new RangeError('a pointer leads nowhere')
    end ??= at + 2
    const measured = known.get(target)
    if (measured !== undefined) {
      bytes += measured
      break
    }
    jump ??= { target, bytesBefore: bytes }
    earliest = target
    at = target
  }
  if (jump) known.set(jump.target, bytes - jump.bytesBefore)
  return { bytes, end: end ?? at + 1 }
}

const HEADER_BYTES = 12
const NAME_MAX = 255

/** Where the decoder finds names in the data of a type; `weight` for what becomes larger without names. */
const NAMES_IN_DATA: Record<number, { skip?: number; names?: number; weight?: number }> = {
  // NS, CNAME, SOA, PTR, MX, RP, SRV, DNAME, RRSIG
  2: { names: 1 },
  5: { names: 1 },
  6: { names: 2 },
  12: { names: 1 },
  15: { skip: 2, names: 1 },
  17: { names: 2 },
  33: { skip: 6, names: 1 },
  39: { names: 1 },
  46: { skip: 18, names: 1 },
  // NAPTR hides a name behind three texts; NSEC and NSEC3 list up to eight types in a byte.
  35: { weight: NAME_MAX / 8 },
  47: { names: 1, weight: 8 },
  50: { weight: 8 },
}
