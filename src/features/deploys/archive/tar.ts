import { Readable } from 'node:stream'
import { extract, type Header } from 'tar-stream'
import { invalid } from '../../../platform/errors.ts'
import { archiveFailure, damagedEntry, type ArchiveEntry, type ArchiveReader } from './reader.ts'
import type { DeployMeter } from './limits.ts'
import { quotedPath } from '../files/site-path.ts'
import { Unpacked, type TarSource } from './tar-bytes.ts'

interface TarEntry {
  header: Header
  content: AsyncIterable<Uint8Array>
}

/** Reads a tar from front to back, once for the names and once for the contents. */
export function openTar(source: TarSource, newMeter: () => DeployMeter): ArchiveReader {
  return {
    async *entries(): AsyncGenerator<ArchiveEntry> {
      for await (const { header } of walk(source, newMeter())) {
        yield { name: header.name, isDirectory: isFolder(header) }
      }
    },

    async *contents(isWanted) {
      let index = -1
      for await (const { header, content } of walk(source, newMeter())) {
        index += 1
        if (isWanted(index)) yield { index, bytes: await readContent(source, header, content) }
      }
    },
  }
}

async function* walk(source: TarSource, meter: DeployMeter): AsyncGenerator<TarEntry> {
  const unpacked = new Unpacked(source, meter)
  const bytes = Readable.from(unpacked, { objectMode: false })
  const tar = extract()
  bytes.on('error', (error) => tar.destroy(error))
  bytes.pipe(tar as unknown as NodeJS.WritableStream)
  try {
    for await (const entry of tar) {
      const { header } = entry
      refuseUnusable(source, header)
      const contentBytes = isFolder(header) ? 0 : header.size
      meter.add(header.name, contentBytes)
      unpacked.lastName = header.name
      unpacked.entriesEnd = entry.offset + BLOCK_BYTES + Math.ceil(contentBytes / BLOCK_BYTES) * BLOCK_BYTES
      yield { header, content: entry as AsyncIterable<Uint8Array> }
      entry.resume()
    }
    unpacked.refuseWithoutEndMark()
  } catch (cause) {
    throw archiveFailure(source.format, unpacked.lastName, cause)
  } finally {
    tar.destroy()
    bytes.destroy()
  }
}

async function readContent(source: TarSource, header: Header, content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  try {
    return Buffer.concat(await Array.fromAsync(content), header.size)
  } catch (cause) {
    throw archiveFailure(source.format, header.name, cause)
  }
}

function refuseUnusable(source: TarSource, header: Header): void {
  const isSparse = Object.keys(header.pax ?? {}).some((key) => key.startsWith('GNU.sparse.'))
  if (!PUBLISHABLE_TYPES.has(header.type) || isSparse) {
    throw invalid(
      `The entry ${quotedPath(header.name)} is a link, a device or a sparse file. Only plain files can be published: ` +
        'put a copy of the file in its place.',
    )
  }
  if (header.type !== 'directory' && isFolder(header) && header.size > 0) {
    throw damagedEntry(source.format, header.name, 'is a folder and has content')
  }
}

/** Old tars mark a folder only by the end of its name. */
const isFolder = (header: Header) => header.type === 'directory' || header.name.endsWith('/')

const PUBLISHABLE_TYPES = new Set(['file', 'contiguous-file', 'directory'])
const BLOCK_BYTES = 512
