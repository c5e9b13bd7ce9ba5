import type { Clock } from '../../../platform/clock.ts'
import { giveBack } from '../../../platform/storage/give-back.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import { makeWay } from '../../../platform/thread/make-way.ts'
import { type BlobSizes, type Chunk, holdBlob, HOLD_MS, storeBlobPiece } from './blob-writes.ts'
import { type Pack, precompress } from './encodings.ts'
import { findBlob, findChunk } from '../queries.ts'

/** The edge asks for the same spans, so that what it wants is one row. */
export const CHUNK_BYTES = 512 * 1024

/** A megabyte a transaction: others wait some milliseconds for the disk, not the 200 of a file of 25 MB. */
const CHUNKS_PER_TRANSACTION = 2

/** Stores a content, once, and keeps it for the holder until a deploy refers to it. */
export async function storeBlob(
  { storage, clock, pack }: { storage: Storage; clock: Clock; pack?: Pack | undefined },
  holder: string,
  blob: { sha256: string; content: Uint8Array },
): Promise<void> {
  const { sha256, content } = blob
  const hold = { holder, expiresAt: clock.now() + HOLD_MS }
  if (await findBlob(storage.read, sha256)) {
    const { kind } = await storage.write(holdBlob, { sha256, hold })
    if (kind === 'held') return
  }
  const { br, gzip } = await precompress(content, pack, holder)
  const sizes: BlobSizes = { identity: content.length, br: br?.length ?? null, gzip: gzip?.length ?? null }
  const spans = [
    ...spansOf('identity', content),
    ...(br === undefined ? [] : spansOf('br', br)),
    ...(gzip === undefined ? [] : spansOf('gzip', gzip)),
  ]
  let blobId: number | undefined
  for (let start = 0; start === 0 || start < spans.length; start += CHUNKS_PER_TRANSACTION) {
    const chunks = spans.slice(start, start + CHUNKS_PER_TRANSACTION)
    const isLast = start + CHUNKS_PER_TRANSACTION >= spans.length
    const finish = isLast ? { sha256, hold } : undefined
    ;({ blobId } = await storage.write(storeBlobPiece, { blobId, sizes, chunks, finish, now: clock.now() }))
    await makeWay(chunks.reduce((bytes, chunk) => bytes + chunk.content.length, 0))
  }
  for (const packed of [br, gzip]) if (packed) giveBack(packed)
}

const spansOf = (encoding: Chunk['encoding'], content: Uint8Array): Chunk[] =>
  Array.from({ length: Math.ceil(content.length / CHUNK_BYTES) }, (_, place) => ({
    encoding,
    place,
    content: content.subarray(place * CHUNK_BYTES, (place + 1) * CHUNK_BYTES),
  }))

/** The bytes [start, end) of one encoding of a blob; fewer when it has no such bytes. */
export async function readBlob(
  { storage }: { storage: Storage },
  sha256: string,
  encoding: string,
  start: number,
  end: number,
): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let at = start; at < end;) {
    const place = Math.floor(at / CHUNK_BYTES)
    const [chunk] = await findChunk(storage.read, { sha256, encoding, place })
    if (!chunk) break
    const { buffer, byteOffset, byteLength } = chunk.content
    const from = at - place * CHUNK_BYTES
    const to = Math.min(end - place * CHUNK_BYTES, byteLength)
    if (to <= from) break
    parts.push(Buffer.from(buffer, byteOffset + from, to - from))
    at += to - from
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}
