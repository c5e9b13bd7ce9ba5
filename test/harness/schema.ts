import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '../../src/migrations.ts'
import { databaseFile, openStorage } from '../../src/platform/storage/open.ts'

/** Where `npm test` has a SQLite file with the schema and nothing else. */
export const SHARED_SCHEMA = 'PETSTORE_TEST_SCHEMA'

/** For all files of a run. */
export async function makeSchema(): Promise<{ file: string } & Disposable> {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-schema-'))
  const storage = await openStorage({ dataDirectory: directory, databaseUrl: undefined, migrations, onError: () => {} })
  await storage[Symbol.asyncDispose]()
  return {
    file: databaseFile(directory),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/**
 * Spares a service in the tests' own process its migrations, each of which waits for the disk: a start takes a third
 * less. A file that is run alone migrates, and so does every service that is a process of its own.
 */
export function layOutSchema(dataDirectory: string): void {
  const file = process.env[SHARED_SCHEMA]
  if (file) copyFileSync(file, databaseFile(dataDirectory))
}
