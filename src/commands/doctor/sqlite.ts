import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '../../config.ts'
import { FIND_KEY_ID } from '../../platform/master-key.ts'
import { databaseFile } from '../../platform/storage/open.ts'
import { sentenceFor } from '../line/failure.ts'
import { appliedInSqlite } from '../backup/schema-state.ts'
import { integrityProblems } from '../backup/sqlite-copy.ts'
import { type Check, fail, ok } from './check.ts'
import { checkMasterKey } from './master-key.ts'
import { checkSchema } from './schema.ts'

export function checkSqlite(config: Config, depth: 'quick' | 'full'): Check[] {
  const file = databaseFile(config.dataDirectory)
  if (!existsSync(file)) {
    return [ok('database', `${file} will be created by the first start`), checkMasterKey(config, undefined)]
  }
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
    const { version } = database.prepare('select sqlite_version() as version').get() as { version: string }
    return [
      ok('database', `SQLite ${version}, ${file}`),
      checkIntegrity(database, depth),
      checkSchema(appliedInSqlite(database)),
      checkMasterKey(config, findUsedKeyId(database)),
    ]
  } catch (error) {
    return [fail('database', sentenceFor(error)), checkMasterKey(config, undefined)]
  }
}

/** The id of the master key that a database has been used with. */
export function findUsedKeyId(database: DatabaseSync): string | undefined {
  if (!database.prepare("select 1 from sqlite_schema where name = 'settings'").get()) return undefined
  const row = database.prepare(FIND_KEY_ID).get()
  return row?.value as string | undefined
}

function checkIntegrity(database: DatabaseSync, depth: 'quick' | 'full'): Check {
  const problems = integrityProblems(database, depth)
  if (problems.length === 0) return ok('integrity', depth === 'full' ? 'every page and index' : 'every page')
  return fail('integrity', `Damaged: ${problems.join('; ')}. Put back a backup with: petstore restore FILE --force`)
}
