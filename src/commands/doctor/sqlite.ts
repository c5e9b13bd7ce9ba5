import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { databaseFile } from '../../platform/storage/open.ts'
import { sentenceFor } from '../line/failure.ts'
import { appliedInSqlite } from '../backup/schema-state.ts'
import { integrityProblems } from '../backup/sqlite-copy.ts'
import { type Check, fail, ok } from './check.ts'
import { checkSchema } from './schema.ts'

export function checkSqlite(dataDirectory: string, depth: 'quick' | 'full'): Check[] {
  const file = databaseFile(dataDirectory)
  if (!existsSync(file)) return [ok('database', `${file} will be created by the first start`)]
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
    const { version } = database.prepare('select sqlite_version() as version').get() as { version: string }
    return [
      ok('database', `SQLite ${version}, ${file}`),
      checkIntegrity(database, depth),
      checkSchema(appliedInSqlite(database)),
    ]
  } catch (error) {
    return [fail('database', sentenceFor(error))]
  }
}

function checkIntegrity(database: DatabaseSync, depth: 'quick' | 'full'): Check {
  const problems = integrityProblems(database, depth)
  if (problems.length === 0) return ok('integrity', depth === 'full' ? 'every page and index' : 'every page')
  return fail('integrity', `Damaged: ${problems.join('; ')}. Put back a backup with: petstore restore FILE --force`)
}
