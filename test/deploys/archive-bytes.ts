import { createCipheriv } from 'node:crypto'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

/**
 * Archives written byte by byte, for the tests: every field can be made to lie, which no packer would do.
 */
export interface ZipPart {
  name: string | Buffer
  content?: string | Buffer
  method?: number
  /** Replaces what stands in the archive as compressed data. */
  data?: Buffer
  flags?: number
  unixMode?: number
  extra?: Buffer
  /** Overrides of what the central directory says. */
  central?: Partial<ZipFields> & { headerStart?: number }
  /** Overrides of what the local header says. */
  local?: Partial<ZipFields> & { name?: string }
}

interface ZipFields {
  crc: number
  packedBytes: number
  bytes: number
  method: number
}

interface ZipEnd {
  entryCount?: number
  directoryStart?: number
  beforeEnd?: (directoryEnd: number) => Buffer
  tail?: Buffer
}

export function zipBytes(parts: readonly ZipPart[], end: ZipEnd = {}): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let position = 0
  for (const part of parts) {
    const name = Buffer.from(part.name)
    const content = Buffer.from(part.content ?? '')
    const method = part.method ?? 8
    const data = part.data ?? (method === 8 ? deflateRawSync(content) : content)
    const extra = part.extra ?? Buffer.alloc(0)
    const fields = { crc: crc32(content), packedBytes: data.length, bytes: content.length, method }
    const local = { name, ...fields, ...part.local }
    const header = Buffer.concat([
      uint32(0x04034b50),
      uint16(20),
      zipFields(part, local, extra),
      Buffer.from(local.name),
      extra,
    ])
    const central = { headerStart: position, ...fields, ...part.central }
    directory.push(
      uint32(0x02014b50),
      uint16((3 << 8) | 20),
      uint16(20),
      zipFields(part, { name, ...central }, extra),
      uint16(0),
      uint16(0),
      uint16(0),
      uint32(((part.unixMode ?? 0o100644) << 16) >>> 0),
      uint32(central.headerStart),
      name,
      extra,
    )
    pieces.push(header, data)
    position += header.length + data.length
  }
  const central = Buffer.concat(directory)
  const count = end.entryCount ?? parts.length
  const record = Buffer.concat([
    uint32(0x06054b50),
    uint16(0),
    uint16(0),
    uint16(count & 0xffff),
    uint16(count & 0xffff),
    uint32(central.length),
    uint32(end.directoryStart ?? position),
    uint16(0),
  ])
  const before = end.beforeEnd?.(position + central.length) ?? Buffer.alloc(0)
  return Buffer.concat([...pieces, central, before, record, end.tail ?? Buffer.alloc(0)])
}

function zipFields(part: ZipPart, fields: ZipFields & { name: string | Buffer }, extra: Buffer): Buffer {
  return Buffer.concat([
    uint16(part.flags ?? 0x800),
    uint16(fields.method),
    uint16(0),
    uint16(0x5a21),
    uint32(fields.crc),
    uint32(fields.packedBytes),
    uint32(fields.bytes),
    uint16(Buffer.from(fields.name).length),
    uint16(extra.length),
  ])
}

/** The record and the locator that extend the end of a zip to 64 bits. */
export function zip64End(fields: { entryCount: bigint; directoryStart: bigint; recordStart: bigint }): Buffer {
  return Buffer.concat([
    uint32(0x06064b50),
    uint64(44n),
    uint16(45),
    uint16(45),
    uint32(0),
    uint32(0),
    uint64(fields.entryCount),
    uint64(fields.entryCount),
    uint64(0n),
    uint64(fields.directoryStart),
    uint32(0x07064b50),
    uint32(0),
    uint64(fields.recordStart),
    uint32(1),
  ])
}

export const extraField = (id: number, data: Buffer) => Buffer.concat([uint16(id), uint16(data.length), data])

export interface TarPart {
  name: string | Buffer
  content?: string | Buffer
  /** One character: `0` file, `1` hard link, `2` symbolic link, `3` device, `5` folder, `x` extended header. */
  type?: string
  linkName?: string
  /** What the header says; the content keeps its own length. */
  sizeField?: string
  badChecksum?: boolean
}

export function tarBytes(parts: readonly TarPart[], end: Buffer = Buffer.alloc(1024)): Buffer {
  return Buffer.concat([...parts.map(tarPart), end])
}

function tarPart(part: TarPart): Buffer {
  const content = Buffer.from(part.content ?? '')
  const header = Buffer.alloc(512)
  Buffer.from(part.name).copy(header, 0, 0, 100)
  header.write('0000644\x000000000\x000000000\0', 100, 'latin1')
  header.write(part.sizeField ?? `${content.length.toString(8).padStart(11, '0')}\0`, 124, 12, 'latin1')
  header.write('00000000000\0', 136, 'latin1')
  header.write('        ', 148, 'latin1')
  header.write(part.type ?? '0', 156, 'latin1')
  header.write(part.linkName ?? '', 157, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, part.badChecksum ? 1 : 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)])
}

/** A record of an extended header, whose length counts its own digits. */
export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const restBytes = Buffer.byteLength(rest)
  let length = restBytes
  while (length !== restBytes + String(length).length) length = restBytes + String(length).length
  return `${length}${rest}`
}

export const gzipped = (bytes: Buffer) => gzipSync(bytes)

export const SITE = { 'index.html': '<h1>Hello</h1>', 'img/ü.svg': '<svg/>', 'empty.txt': '' }
export const siteParts = Object.entries(SITE).map(([name, content]) => ({ name, content }))

export const repeated = (bytes: number) => Buffer.alloc(bytes, 'a')

/** Bytes that no packer can shrink, the same in every run. */
export const noise = (bytes: number) =>
  createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(bytes))

export async function* inChunks(bytes: Buffer, chunkBytes = 64 * 1024): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes)
}

const uint16 = (value: number) => Buffer.from(Uint16Array.of(value).buffer)
const uint32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer)
const uint64 = (value: bigint) => Buffer.from(BigUint64Array.of(value).buffer)
