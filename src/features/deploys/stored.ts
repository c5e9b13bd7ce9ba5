import './tables.ts'
import { sql } from 'kysely'
import { setImmediate } from 'node:timers/promises'
import { defineWrite, type Storage } from '../../platform/storage/storage.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'

const ROWS_PER_PAGE = 1000
const KNOWN_MAX = 1000

/** The sets of files of a project's deploys, each once. */
function listManifestsOfProject(db: Db, projectId: number, without: readonly string[] = []) {
  const all = db.selectFrom('deploys').select('manifest_id').where('project_id', '=', projectId)
  const some = without.length === 0 ? all : all.where('id', 'not in', without)
  return db.selectFrom('manifests').select(['id', 'bytes']).where('id', 'in', some).orderBy('id').execute()
}

interface Kept {
  projectId: number
  /** Ids of deploys that make room. */
  without: readonly string[]
  blobs: readonly { id: number; bytes: number }[]
  enough: number
}

/**
 * What the project would keep with these contents and without those deploys, for the transaction that adds them. Where
 * the sum of all deploys is below `enough`, that is said instead: it is more than is kept, and costs one look at a few
 * rows.
 */
export const sumStoredWith = (db: Db, engine: Engine, kept: Kept): Promise<number> =>
  sumWith(db, kept, (of) => readContents.run(db, { of }, engine))

async function sumWith(db: Db, kept: Kept, contentsOf: (manifestIds: number[]) => Contents): Promise<number> {
  const { projectId, without, blobs, enough } = kept
  const manifests = await listManifestsOfProject(db, projectId, without)
  const atMost = manifests.reduce((sum, { bytes }) => sum + bytes, sumOf(blobs))
  if (atMost <= enough || manifests.length === 0) return atMost
  const { ids, bytes } = await contentsOf(manifests.map(({ id }) => id))
  return bytes + sumOf(blobs.filter(({ id }) => !ids.has(id)))
}

const sumOf = (blobs: readonly { bytes: number }[]) => blobs.reduce((sum, { bytes }) => sum + bytes, 0)

/** In the writer's thread, where it is one statement that no request waits for. */
const readContents = defineWrite('deploys.readContents', async (db, { of }: { of: readonly number[] }, engine) => {
  // One row: 40,000 of them would take longer to arrive than to find.
  const all = engine === 'postgres' ? sql<string>`json_agg(id)::text` : sql<string>`json_group_array(id)`
  const contents = db.selectFrom('manifest_files').select('blob_id').where('manifest_id', 'in', of)
  const { ids, bytes } = await db
    .selectFrom('blobs')
    .select((eb) => [all.as('ids'), eb.fn.sum<number | null>('identity_bytes').as('bytes')])
    .where('id', 'in', contents)
    .executeTakeFirstOrThrow()
  return { ids: new Set(JSON.parse(ids ?? '[]') as number[]), bytes: Number(bytes ?? 0) }
})

type Contents = ReturnType<typeof readContents.run>

/** The last that were weighed, by database: 2 MB each as a rule, 17 MB where 20 deploys of 20,000 files differ. */
const WEIGHED_MAX = 4
const weighed = new WeakMap<Storage, Map<string, Contents>>()

/**
 * The same as `sumStoredWith`, for whoever asks before anything is sent and has no transaction. A set of files never
 * changes, so that it is read once, however often somebody asks: for 20 deploys of 20,000 files all other writes wait
 * for that, some 0.3 s.
 */
export const weighStoredWith = (storage: Storage, kept: Kept): Promise<number> =>
  sumWith(storage.read, kept, (of) => contentsOf(storage, of))

function contentsOf(storage: Storage, manifestIds: readonly number[]): Contents {
  const of = manifestIds.join(' ')
  const known = weighed.get(storage) ?? new Map<string, Contents>()
  weighed.set(storage, known)
  const contents = known.get(of) ?? storage.write(readContents, { of: manifestIds })
  known.delete(of)
  known.set(of, contents)
  contents.catch(() => known.delete(of))
  if (known.size > WEIGHED_MAX) known.delete(known.keys().next().value as string)
  return contents
}

/** What each project keeps, counted page by page, so that nobody waits for 20 deploys of 20,000 files. */
export class StoredContents {
  readonly #db: Db
  readonly #known = new Map<number, { of: string; bytes: Promise<number> }>()

  constructor(db: Db) {
    this.#db = db
  }

  async bytesOf(projectId: number): Promise<number> {
    const manifests = await listManifestsOfProject(this.#db, projectId)
    const of = manifests.map(({ id }) => id).join(' ')
    const known = this.#known.get(projectId)
    if (known?.of === of) return known.bytes
    if (this.#known.size >= KNOWN_MAX) this.#known.clear()
    const bytes = this.#count(manifests.map(({ id }) => id))
    this.#known.set(projectId, { of, bytes })
    bytes.catch(() => this.#known.delete(projectId))
    return bytes
  }

  async #count(manifestIds: readonly number[]): Promise<number> {
    const seen = new Set<number>()
    let total = 0
    for (const manifestId of manifestIds) {
      for (let after = ''; ;) {
        const page = await this.#page(manifestId, after)
        for (const { id, identity_bytes } of page) {
          if (!seen.has(id)) total += identity_bytes
          seen.add(id)
        }
        if (page.length < ROWS_PER_PAGE) break
        after = page.at(-1)!.path
        await setImmediate()
      }
    }
    return total
  }

  #page(manifestId: number, after: string) {
    return this.#db
      .selectFrom('manifest_files')
      .innerJoin('blobs', 'blobs.id', 'manifest_files.blob_id')
      .select(['manifest_files.path', 'blobs.id', 'blobs.identity_bytes'])
      .where('manifest_files.manifest_id', '=', manifestId)
      .where('manifest_files.path', '>', after)
      .orderBy('manifest_files.path')
      .limit(ROWS_PER_PAGE)
      .execute()
  }
}
