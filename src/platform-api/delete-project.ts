import { sql } from 'kysely'
import { removeDomainsOfProject } from '../features/domains/writes.ts'
import { KEYS_TOPIC } from '../features/keys/writes.ts'
import { listDeletedProjects } from '../features/projects/queries.ts'
import { closeProject } from '../features/projects/writes.ts'
import { publishChange } from '../platform/storage/change-feed.ts'
import { defineWrite, type Storage } from '../platform/storage/storage.ts'

/** Ends the project for everybody at once: people, visitors, domains and keys, on every instance. */
export const deleteProjectRow = defineWrite(
  'projects.delete',
  async (db, input: { id: number; accountId: string | null; now: number }, engine) => {
    const project = await closeProject(db, input, engine)
    if (!project) return { kind: 'missing' as const }
    await removeDomainsOfProject(db, engine, project.id, input.now)
    const keys = await db
      .updateTable('keys')
      .set({ revoked_at: input.now })
      .where('project_id', '=', project.id)
      .where('revoked_at', 'is', null)
      .returning('hash')
      .execute()
    for (const { hash } of keys) await publishChange(db, engine, KEYS_TOPIC, hash, input.now)
    return { kind: 'deleted' as const, slug: project.slug }
  },
  {
    note: ({ id }, outcome) =>
      outcome.kind === 'deleted' ? { verb: 'project.delete', subject: outcome.slug, projectId: id } : undefined,
  },
)

/** Tables that may hold millions of rows of one project, with the columns that name a row. */
const LARGE_TABLES = [
  ['orders', ['project_id', 'environment', 'id']],
  ['pets', ['project_id', 'environment', 'id']],
  ['key_usage', ['key_id', 'operation', 'hour']],
  ['idempotency_keys', ['project_id', 'environment', 'key']],
] as const

/** A transaction of a few milliseconds: other writers hardly notice. */
const ROWS_PER_STEP = 1000

/** Takes away some rows of a deleted project; the project itself and what hangs on it go last. */
export const purgeStep = defineWrite('projects.purgeStep', async (db, { id }: { id: number }) => {
  for (const [table, columns] of LARGE_TABLES) {
    const names = sql.join(columns.map((column) => sql.ref(column)))
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where (${names}) in
        (select ${names} from ${sql.table(table)} where project_id = ${id} limit ${ROWS_PER_STEP})`.execute(db)
    if ((numAffectedRows ?? 0n) > 0n) return { finished: false }
  }
  await db.deleteFrom('projects').where('id', '=', id).where('deleted_at', 'is not', null).execute()
  return { finished: true }
})

/** Finishes every deletion that has begun; a crash in between costs nothing, because the next start goes on. */
export class ProjectPurge implements AsyncDisposable {
  readonly #storage: Storage
  readonly #onError: (error: unknown) => void
  #stopped = false
  #running: Promise<void> = Promise.resolve()

  constructor(storage: Storage, onError: (error: unknown) => void) {
    this.#storage = storage
    this.#onError = onError
  }

  /** Resolves when everything that was deleted before is gone. */
  run(): Promise<void> {
    this.#running = this.#running.then(() => this.#purgeAll()).catch(this.#onError)
    return this.#running
  }

  async #purgeAll(): Promise<void> {
    for (const { id } of await listDeletedProjects(this.#storage.read)) {
      while (!this.#stopped && !(await this.#storage.write(purgeStep, { id })).finished);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    await this.#running
  }
}
