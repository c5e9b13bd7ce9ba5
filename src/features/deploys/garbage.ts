import './tables.ts'
import { setImmediate } from 'node:timers/promises'
import { HOUR_MS, type Clock } from '../../platform/clock.ts'
import { defineWrite, type Storage } from '../../platform/storage/storage.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { ARRIVAL_MAX_MS, releaseHolds, takeCollectionTurn } from './files/blob-writes.ts'

interface GarbageNeeds {
  storage: Storage
  clock: Clock
}

/** A transaction of some milliseconds: other writers hardly notice. */
const ROWS_PER_STEP = 500
const BYTES_PER_STEP = 4_000_000

/** Holds that nobody came back for. */
const forgetExpiredHolds = defineWrite('garbage.holds', async (db, { now }: { now: number }, engine) => {
  await takeCollectionTurn(db, engine)
  await db.deleteFrom('blob_holds').where('expires_at', '<=', now).execute()
})

/** Takes some files away from a manifest that no deploy shows; it cannot be deployed again from the first step on. */
const collectManifest = defineWrite('garbage.manifest', async (db, { id }: { id: number }, engine) => {
  await takeCollectionTurn(db, engine)
  if (await db.selectFrom('deploys').select('id').where('manifest_id', '=', id).limit(1).executeTakeFirst()) {
    return { finished: true }
  }
  await db.updateTable('manifests').set({ hash: null }).where('id', '=', id).execute()
  const some = db.selectFrom('manifest_files').select('path').where('manifest_id', '=', id).limit(ROWS_PER_STEP)
  const { numDeletedRows } = await db
    .deleteFrom('manifest_files')
    .where('manifest_id', '=', id)
    .where('path', 'in', some)
    .executeTakeFirst()
  if (numDeletedRows === BigInt(ROWS_PER_STEP)) return { finished: false }
  await db.deleteFrom('manifests').where('id', '=', id).execute()
  return { finished: true }
})

/** Removes blobs, unless something refers to them by now. */
const collectBlobs = defineWrite('garbage.blobs', async (db, { ids, now }: { ids: number[]; now: number }, engine) => {
  await takeCollectionTurn(db, engine)
  const unused = await findUnusedBlobs(db, ids, now)
  if (unused.length > 0)
    await db
      .deleteFrom('blobs')
      .where(
        'id',
        'in',
        unused.map(({ id }) => id),
      )
      .execute()
  return { removed: unused.length }
})

/** Those that no manifest and no hold refers to; one that is still arriving gets its time. */
function findUnusedBlobs(db: Db, ids: readonly number[], now: number) {
  return db
    .selectFrom('blobs')
    .select(['id', 'identity_bytes'])
    .where('id', 'in', ids)
    .where((eb) => eb.or([eb('sha256', 'is not', null), eb('created_at', '<', now - ARRIVAL_MAX_MS)]))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('manifest_files').select('path').whereRef('manifest_files.blob_id', '=', 'blobs.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('blob_holds').select('holder').whereRef('blob_holds.blob_id', '=', 'blobs.id'))),
    )
    .execute()
}

function findOrphanManifests(db: Db, ids: readonly number[]) {
  return db
    .selectFrom('manifests')
    .select('id')
    .where('id', 'in', ids)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('deploys').select('deploys.id').whereRef('deploys.manifest_id', '=', 'manifests.id'))),
    )
    .execute()
}

/** Takes away everything that no deploy and no upload needs. */
export async function collectGarbage(
  needs: GarbageNeeds,
  signal?: AbortSignal,
): Promise<{ manifests: number; blobs: number }> {
  const { storage, clock } = needs
  const collected = { manifests: 0, blobs: 0 }
  await storage.write(forgetExpiredHolds, { now: clock.now() })
  for await (const ids of pagesOf(storage.read, 'manifests', signal)) {
    for (const { id } of await findOrphanManifests(storage.read, ids)) {
      while (!signal?.aborted && !(await storage.write(collectManifest, { id })).finished);
      collected.manifests++
    }
  }
  for await (const ids of pagesOf(storage.read, 'blobs', signal)) collected.blobs += await collectUnused(needs, ids)
  return collected
}

/** Drops an upload that came to nothing, with everything that only it had brought, but for some contents of it. */
export async function abandonUpload(needs: GarbageNeeds, holder: string, kept: number[] = []): Promise<void> {
  const { blobIds } = await needs.storage.write(releaseHolds, { holder, kept })
  for (let start = 0; start < blobIds.length; start += ROWS_PER_STEP) {
    await collectUnused(needs, blobIds.slice(start, start + ROWS_PER_STEP))
  }
}

async function collectUnused({ storage, clock }: GarbageNeeds, ids: readonly number[]): Promise<number> {
  let removed = 0
  for (const some of inSteps(await findUnusedBlobs(storage.read, ids, clock.now()))) {
    removed += (await storage.write(collectBlobs, { ids: some, now: clock.now() })).removed
  }
  return removed
}

/** All ids of a table, a page at a time: each look is a stop for others. */
async function* pagesOf(db: Db, table: 'manifests' | 'blobs', signal?: AbortSignal): AsyncGenerator<number[]> {
  for (let after = 0; !signal?.aborted;) {
    const page = db.selectFrom(table).select('id').where('id', '>', after).orderBy('id').limit(ROWS_PER_STEP)
    const rows = await page.execute()
    if (rows.length === 0) return
    yield rows.map(({ id }) => id)
    after = rows.at(-1)!.id
    await setImmediate()
  }
}

function inSteps(blobs: readonly { id: number; identity_bytes: number }[]): number[][] {
  const steps: number[][] = []
  let bytes = Infinity
  for (const { id, identity_bytes } of blobs) {
    if (bytes + identity_bytes > BYTES_PER_STEP) {
      steps.push([])
      bytes = 0
    }
    steps.at(-1)!.push(id)
    bytes += identity_bytes
  }
  return steps
}

/** Collects once an hour, and tells of trouble. */
export function startCollector(needs: GarbageNeeds, onError: (error: unknown) => void): AsyncDisposable {
  const stop = new AbortController()
  const running = (async () => {
    while (!stop.signal.aborted) {
      await needs.clock.sleep(HOUR_MS, stop.signal)
      if (!stop.signal.aborted) await collectGarbage(needs, stop.signal).catch(onError)
    }
  })()
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running
    },
  }
}
