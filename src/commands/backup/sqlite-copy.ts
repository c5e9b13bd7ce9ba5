import { backup, DatabaseSync } from 'node:sqlite'
import { CommandError } from '../../../cli/src/line/command.ts'
import { appliedInSqlite, schemaState } from './schema-state.ts'

/** 4 MB a step: the bar moves, and nothing else waits for long. */
const PAGES_PER_STEP = 1000

/**
 * Copies a database, also one that is being written, as it is at this moment, into an empty file, which then needs no
 * others beside it.
 */
export async function copyDatabase(from: string, to: string, onProgress: (share: number) => void): Promise<void> {
  using source = new DatabaseSync(from, { readOnly: true, timeout: 5000 })
  // An open read holds the moment: without it the copy would begin anew after every write of another process.
  source.exec('begin')
  source.prepare('select count(*) from sqlite_master').get()
  await backup(source, to, {
    rate: PAGES_PER_STEP,
    progress: ({ totalPages, remainingPages }) => onProgress(1 - remainingPages / totalPages),
  })
  using copy = new DatabaseSync(to)
  copy.exec('pragma journal_mode = delete')
}

/** Refuses a copy that is damaged, none of ours, or of a newer version. */
export function requireUsable(file: string, name: string): void {
  using database = new DatabaseSync(file, { readOnly: true })
  const problems = integrityProblems(database, 'full')
  if (problems.length > 0) throw new CommandError(`${name} is damaged (${problems[0]}). Use another backup.`)
  const applied = appliedInSqlite(database)
  if (!applied) {
    throw new CommandError(`${name} is no database of Petstore. Give a file that petstore backup has written.`)
  }
  const { unknown } = schemaState(applied)
  if (unknown.length === 0) return
  throw new CommandError(
    `${name} was written by a newer version of Petstore (it has ${unknown.join(', ')}). Restore it with that version.`,
  )
}

/** `quick` leaves out whether the indexes agree with their tables, which takes most of the time. */
export function integrityProblems(database: DatabaseSync, depth: 'quick' | 'full'): string[] {
  const pragma = depth === 'quick' ? 'quick_check' : 'integrity_check'
  const rows = database.prepare(`pragma ${pragma}(5)`).all() as Record<string, string>[]
  return rows.map((row) => String(row[pragma])).filter((answer) => answer !== 'ok')
}
