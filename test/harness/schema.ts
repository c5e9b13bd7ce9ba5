import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '../../src/platform/storage/storage.ts'

/** Where `npm test` has a SQLite file with the schema and the contents of the starter site, and nothing else. */
export const SHARED_SCHEMA = 'PETSTORE_TEST_SCHEMA'

/** For all files of a run. */
export async function makeSchema(): Promise<{ file: string } & Disposable> {
  // Only here: tests of processes load nothing of the service themselves.
  const { migrations } = await import('../../src/migrations.ts')
  const { openStorage } = await import('../../src/platform/storage/open.ts')
  const directory = mkdtempSync(join(tmpdir(), 'petstore-schema-'))
  const storage = await openStorage({ dataDirectory: directory, databaseUrl: undefined, migrations, onError: () => {} })
  await storeStarterContents(storage)
  await storage[Symbol.asyncDispose]()
  return {
    file: join(directory, DATABASE),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  }
}

const DATABASE = 'petstore.sqlite'

/**
 * What a service that finds no project stores first of all: to pack and store it took more than half of a start. Only
 * its document, which names the service's addresses, is not among them, so that the way there is gone by every start.
 */
export async function storeStarterContents(storage: Storage): Promise<void> {
  const { systemClock } = await import('../../src/platform/clock.ts')
  const { referenceFiles } = await import('../../src/features/deploys/starter-site.ts')
  const { storeFiles } = await import('../../src/features/deploys/uploads.ts')
  await storeFiles({ storage, clock: systemClock }, 'starter site', await referenceFiles())
}

/**
 * Spares a service its migrations, each of which waits for the disk: a start takes a third less. A file that is run
 * alone migrates, and so does every service and command that is given a directory of the test's own.
 */
export function layOutSchema(dataDirectory: string): void {
  const file = process.env[SHARED_SCHEMA]
  if (file) copyFileSync(file, join(dataDirectory, DATABASE))
}
