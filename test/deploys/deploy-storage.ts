import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentTypeOf } from '../../src/edge/site/content-types.ts'
import { packInPool } from '../../src/features/deploys/files/encodings.ts'
import { UploadGate } from '../../src/features/deploys/upload-gate.ts'
import type { Uploader, UploadNeeds } from '../../src/features/deploys/uploads.ts'
import { createProject } from '../../src/features/projects/projects.ts'
import { migrations } from '../../src/migrations.ts'
import { ManualClock } from '../../src/platform/clock.ts'
import { openStorage } from '../../src/platform/storage/open.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import type { Tables } from '../../src/platform/storage/tables.ts'

export interface DeployStorage extends UploadNeeds, AsyncDisposable {
  clock: ManualClock
  newProject(): Promise<Uploader>
  /** All of it, as the purge of a deleted project does in the end. */
  deleteProject(id: number): Promise<void>
  count(table: keyof Tables): Promise<number>
}

const deleteProject = defineWrite('test.deleteProject', async (db, { id }: { id: number }) => {
  await db.deleteFrom('projects').where('id', '=', id).execute()
})

/** The storage that deploys are kept in, without anything that serves it. */
export async function openDeployStorage(databaseUrl: string | undefined): Promise<DeployStorage> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-deploys-'))
  const storage = await openStorage({ dataDirectory, databaseUrl, migrations, onError: () => {} })
  const clock = new ManualClock(1_800_000_000_000)
  let projects = 0
  return {
    storage,
    clock,
    contentTypeOf,
    spoolDirectory: join(dataDirectory, 'uploads'),
    gate: new UploadGate(),
    pack: packInPool,
    async newProject() {
      const { id } = await createProject({ storage, clock }, { slug: `kennel-${++projects}` })
      return { projectId: id, accountId: `ada-${id}`, name: 'ada@example.com', audited: storage }
    },
    deleteProject: (id) => storage.write(deleteProject, { id }),
    async count(table) {
      const { rows } = await storage.read
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow()
      return rows
    },
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]()
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}
