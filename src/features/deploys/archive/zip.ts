import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { crc32, inflateRaw, type InputType, type ZlibOptions } from 'node:zlib'
import { fromRandomAccessReaderPromise, type Entry, type ZipFile } from 'yauzl'
import { invalid } from '../../../platform/errors.ts'
import { archiveFailure, damagedEntry, type ArchiveEntry, type ArchiveReader } from './reader.ts'
import type { DeployMeter } from './limits.ts'
import { quotedPath } from '../files/site-path.ts'
import { SpoolReader } from './spool-reader.ts'

interface Located {
  name: string
  isDeflated: boolean
  crc: number
  bytes: number
  storedBytes: number
  headerStart: number
  dataStart: number
}

/**
 * Reads a zip by its central directory and believes nothing that it says: sizes, checksums, the second copy of every
 * header and the places of the data all have to agree.
 */
export async function openZip(
  file: FileHandle,
  archiveBytes: number,
  newMeter: () => DeployMeter,
): Promise<ArchiveReader> {
  const zip = await fromRandomAccessReaderPromise(new SpoolReader(file, archiveBytes), archiveBytes, {
    autoClose: false,
    decodeStrings: false,
    validateEntrySizes: false,
  }).catch((cause) => {
    throw archiveFailure('zip', undefined, cause)
  })
  const located: Located[] = []

  return {
    async *entries(): AsyncGenerator<ArchiveEntry> {
      const meter = newMeter()
      meter.checkEntryCount(zip.entryCount)
      // The typings call this number a boolean.
      const directoryStart = Number(zip.readEntryCursor)
      const listed: { entry: Entry; name: string }[] = []
      try {
        for await (const entry of zip.eachEntry()) {
          const name = entryName(entry)
          refuseUnusable(entry, name)
          meter.add(name, entry.uncompressedSize)
          listed.push({ entry, name })
          yield { name, isDirectory: name.endsWith('/') }
        }
        await refuseUnlistedEntries(file, Number(zip.readEntryCursor))
        for (const { entry, name } of listed) located.push(await locate(zip, entry, name))
        refuseOverlaps(located, directoryStart)
      } catch (cause) {
        throw archiveFailure('zip', (located.at(-1) ?? listed.at(-1))?.name, cause)
      }
    },

    async *contents(isWanted) {
      for (const [index, entry] of located.entries()) {
        if (isWanted(index)) yield { index, bytes: await readContent(file, entry) }
      }
    },
  }
}

/** Unix writes names as UTF-8 without saying so: the bytes decide, and bytes that are no UTF-8 are refused later. */
function entryName(entry: Entry): string {
  for (const { id, data } of entry.extraFields) {
    const isUnicodePath = id === 0x7075 && data.length > 5 && data[0] === 1
    if (isUnicodePath && data.readUInt32LE(1) === crc32(entry.fileNameRaw)) return data.toString('utf8', 5)
  }
  return entry.fileNameRaw.toString('utf8')
}

function refuseUnusable(entry: Entry, name: string): void {
  const unixType = (entry.externalFileAttributes >>> 16) & 0xf000
  if (unixType !== 0 && unixType !== UNIX_FILE && unixType !== UNIX_FOLDER) {
    throw invalid(
      `The entry ${quotedPath(name)} is a link or a device. Only files can be published: put a copy of the file in ` +
        'its place.',
    )
  }
  if (entry.isEncrypted()) {
    throw invalid(`The entry ${quotedPath(name)} is encrypted. Make the archive again without a password.`)
  }
  if (!entry.canDecodeFileData()) {
    throw invalid(
      `The entry ${quotedPath(name)} is packed with method ${entry.compressionMethod}, which cannot be read here. ` +
        'Make the archive again with the method "deflate".',
    )
  }
  if (name.endsWith('/') && entry.uncompressedSize !== 0) throw lies(name, 'is a folder and has content')
  if (entry.compressionMethod === STORED && entry.compressedSize !== entry.uncompressedSize) {
    throw lies(name, 'is not compressed, yet has two different sizes')
  }
}

async function locate(zip: ZipFile, entry: Entry, name: string): Promise<Located> {
  const local = await zip.readLocalFileHeaderPromise(entry)
  const agrees = (inLocal: number, inDirectory: number) =>
    inLocal === inDirectory || inLocal === 0xffffffff || (inLocal === 0 && (local.generalPurposeBitFlag & 8) !== 0)
  if (
    !local.fileName.equals(entry.fileNameRaw) ||
    local.compressionMethod !== entry.compressionMethod ||
    !agrees(local.crc32, entry.crc32) ||
    !agrees(local.compressedSize, entry.compressedSize) ||
    !agrees(local.uncompressedSize, entry.uncompressedSize)
  ) {
    throw lies(name, 'is described in two ways that do not agree')
  }
  return {
    name,
    isDeflated: entry.compressionMethod !== STORED,
    crc: entry.crc32,
    bytes: entry.uncompressedSize,
    storedBytes: entry.compressedSize,
    headerStart: entry.relativeOffsetOfLocalHeader,
    dataStart: local.fileDataStart,
  }
}

/** The count is kept in 16 bits: a directory that goes on after its last counted entry would lose files silently. */
async function refuseUnlistedEntries(file: FileHandle, directoryEnd: number): Promise<void> {
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, directoryEnd)
  const signature = buffer.readUInt32LE(0)
  if (signature === END_OF_DIRECTORY || signature === ZIP64_END_OF_DIRECTORY) return
  throw new Error('the directory goes on after its last counted entry')
}

/** Entries that share their data are how a small zip holds petabytes. */
function refuseOverlaps(located: readonly Located[], directoryStart: number): void {
  const byPlace = located.toSorted((a, b) => a.headerStart - b.headerStart)
  for (const [i, entry] of byPlace.entries()) {
    const end = byPlace[i + 1]?.headerStart ?? directoryStart
    if (entry.dataStart + entry.storedBytes > end) throw lies(entry.name, 'shares its data with another entry')
  }
}

async function readContent(file: FileHandle, entry: Located): Promise<Buffer> {
  // Deflate adds 5 bytes to every 16 KB that it cannot shrink; much more than that is filler.
  const storedBytesMax = entry.bytes * 1.001 + 1024
  if (entry.storedBytes > storedBytesMax) throw lies(entry.name, 'holds more than it unpacks to')
  const stored = Buffer.allocUnsafe(entry.storedBytes)
  const { bytesRead } = await file.read(stored, 0, stored.length, entry.dataStart)
  if (bytesRead !== stored.length) throw lies(entry.name, 'is cut off')
  const content = entry.isDeflated ? await inflate(stored, entry) : stored
  if (content.length !== entry.bytes) throw lies(entry.name, 'has another size than it says')
  if (crc32(content) !== entry.crc) throw lies(entry.name, 'does not match its checksum')
  return content
}

async function inflate(stored: Buffer, entry: Located): Promise<Buffer> {
  const { buffer, engine } = await inflateWithInfo(stored, {
    info: true,
    maxOutputLength: Math.max(entry.bytes, 1),
    chunkSize: Math.min(Math.max(entry.bytes, 1024), 1024 * 1024),
  }).catch((cause) => {
    throw lies(entry.name, 'cannot be unpacked to the size that it says', cause)
  })
  if (engine.bytesWritten !== stored.length) throw lies(entry.name, 'has bytes after its end')
  return buffer
}

const inflateWithInfo = promisify(
  inflateRaw as unknown as (
    input: InputType,
    options: ZlibOptions,
    callback: (error: Error | null, result: { buffer: Buffer; engine: { bytesWritten: number } }) => void,
  ) => void,
)

const lies = (name: string, what: string, cause?: unknown) => damagedEntry('zip', name, what, cause)

const STORED = 0
const UNIX_FILE = 0x8000
const UNIX_FOLDER = 0x4000
const END_OF_DIRECTORY = 0x06054b50
const ZIP64_END_OF_DIRECTORY = 0x06064b50
