import '../tables.ts'
import { HOUR_MS } from '../../../platform/clock.ts'
import { insertRows } from '../../../platform/storage/rows/insert-rows.ts'
import { nextNumber } from '../../../platform/storage/sequence.ts'
import { defineWrite } from '../../../platform/storage/storage.ts'
import type { Db, Engine } from '../../../platform/storage/tables.ts'
import { shareTurn, takeTurn } from '../../../platform/storage/turns.ts'
import { findBlob } from '../queries.ts'

/** Long enough for the slowest upload of the largest site, short enough that what was given up does not pile up. */
export const HOLD_MS = 24 * HOUR_MS

/** The longest that one content can take to be stored, with room for a disk that stalls. */
export const ARRIVAL_MAX_MS = HOUR_MS

export interface BlobSizes {
  identity: number
  br: number | null
  gzip: number | null
}

export interface Chunk {
  encoding: keyof BlobSizes
  place: number
  content: Uint8Array
}

export interface Hold {
  holder: string
  expiresAt: number
}

export interface BlobPiece {
  /** Undefined for the first piece. */
  blobId: number | undefined
  sizes: BlobSizes
  chunks: Chunk[]
  /** With the last piece: the name under which the content can be found from now on, and for whom it is kept. */
  finish: { sha256: string; hold: Hold } | undefined
  now: number
}

/** Stores some chunks of a content; with the last ones it becomes a blob, unless there is one like it by now. */
export const storeBlobPiece = defineWrite('blobs.storePiece', async (db, piece: BlobPiece, engine) => {
  const { chunks, sizes, finish, now } = piece
  if (finish) await keepFromCollection(db, engine)
  let blobId = piece.blobId ?? (await insertArriving(db, engine, sizes, now))
  await insertRows(
    db,
    'blob_chunks',
    chunks.map(({ encoding, place, content }) => ({ blob_id: blobId as number, encoding, place, content })),
  )
  if (finish) {
    blobId = await nameBlob(db, engine, blobId, finish.sha256)
    await insertHold(db, blobId, sizes.identity, finish.hold)
  }
  return { blobId }
})

async function insertArriving(db: Db, engine: Engine, sizes: BlobSizes, now: number): Promise<number> {
  const id = await nextNumber(db, engine, 'blobs')
  const { identity, br, gzip } = sizes
  const row = { id, sha256: null, identity_bytes: identity, br_bytes: br, gzip_bytes: gzip, created_at: now }
  await db.insertInto('blobs').values(row).execute()
  return id
}

/** The same content may have arrived twice at once: the second copy goes. */
async function nameBlob(db: Db, engine: Engine, id: number, sha256: string): Promise<number> {
  await takeTurn(db, engine, `blob ${sha256}`)
  const twin = await findBlob(db, sha256)
  if (twin) await db.deleteFrom('blobs').where('id', '=', id).execute()
  else await db.updateTable('blobs').set({ sha256 }).where('id', '=', id).execute()
  return twin?.id ?? id
}

/** For somebody who has shown a content that is stored already. */
export const holdBlob = defineWrite('blobs.hold', async (db, input: { sha256: string; hold: Hold }, engine) => {
  await keepFromCollection(db, engine)
  const blob = await findBlob(db, input.sha256)
  if (!blob) return { kind: 'missing' as const }
  await insertHold(db, blob.id, blob.identity_bytes, input.hold)
  return { kind: 'held' as const }
})

async function insertHold(db: Db, blobId: number, bytes: number, { holder, expiresAt }: Hold): Promise<void> {
  await db
    .insertInto('blob_holds')
    .values({ holder, blob_id: blobId, bytes, expires_at: expiresAt })
    .onConflict((conflict) => conflict.columns(['holder', 'blob_id']).doUpdateSet({ expires_at: expiresAt }))
    .execute()
}

/** After an upload that came to nothing: what only it needed can be collected at once. */
export const releaseHolds = defineWrite('blobs.release', async (db, input: { holder: string; kept?: number[] }) => {
  const { holder, kept = [] } = input
  const held = await db.selectFrom('blob_holds').select('blob_id').where('holder', '=', holder).execute()
  const isKept = new Set(kept)
  const blobIds = held.map(({ blob_id }) => blob_id).filter((id) => !isKept.has(id))
  await forgetHolds(db, holder, blobIds)
  return { blobIds }
})

export async function forgetHolds(db: Db, holder: string, blobIds: readonly number[]): Promise<void> {
  for (let start = 0; start < blobIds.length; start += IDS_PER_STATEMENT) {
    const ids = blobIds.slice(start, start + IDS_PER_STATEMENT)
    await db.deleteFrom('blob_holds').where('holder', '=', holder).where('blob_id', 'in', ids).execute()
  }
}

/** Within what a statement takes on both engines. */
const IDS_PER_STATEMENT = 500

const COLLECTION = 'blob collection'

/** Whoever refers to blobs excludes the collector, but not each other, until the transaction ends. */
export const keepFromCollection = (db: Db, engine: Engine) => shareTurn(db, engine, COLLECTION)

export const takeCollectionTurn = (db: Db, engine: Engine) => takeTurn(db, engine, COLLECTION)
