import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { iso } from '../platform/iso-date.ts'
import { readConfig } from '../config.ts'
import { databaseFile, lockStart } from '../platform/storage/open.ts'
import { giveToOwnerOf } from '../platform/storage/sqlite/private-file.ts'
import { CommandError, defineCommand } from '../../cli/src/line/command.ts'
import { createPrivately, keepUnder, moveDurably, syncDirectory } from './backup/durable-file.ts'
import { checkMasterKey } from './doctor/master-key.ts'
import { findUsedKeyId } from './doctor/sqlite.ts'
import { json } from '../../cli/src/line/options.ts'
import { restoreAdvice } from './backup/postgres-dump.ts'
import { copyDatabase, requireUsable } from './backup/sqlite-copy.ts'

export const command = defineCommand({
  about: `Puts a backup in the place of the database. Stop the service first: while it runs, this refuses.
The backup is copied and checked before anything is touched, and an existing database is kept aside.

On PostgreSQL this only says how: with pg_restore, into a new database.`,
  arguments: [{ name: 'FILE', help: 'a file that petstore backup has written' }],
  options: {
    force: { type: 'boolean', help: 'replace the database that is there, and keep it under another name' },
    json,
  },
  examples: ['petstore restore /backups/petstore-2030-01-31.sqlite --force'],
  async run({ values, arguments: [given], terminal, clock }) {
    const config = readConfig()
    const file = resolve(given)
    if (config.databaseUrl) {
      throw new CommandError(`The data is in PostgreSQL. ${restoreAdvice(config.databaseUrl, file, iso(clock.now()))}`)
    }
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
      throw new CommandError(`There is no file ${file}. Check the path.`)
    }
    const database = databaseFile(config.dataDirectory)
    const incoming = `${database}.${process.pid}.incoming`
    const requireRight = () => {
      if (existsSync(database) && !values.force) throw wouldReplace(database)
    }
    mkdirSync(config.dataDirectory, { recursive: true, mode: 0o700 })

    requireRight()
    closeOff(database)[Symbol.dispose]()
    createPrivately(incoming)
    let keptAside: string | undefined
    try {
      const showCopied = (share: number) => terminal.status(`Copying: ${Math.floor(share * 100)} %`)
      await copyDatabase(file, incoming, showCopied).catch(unreadable)
      terminal.status('Checking the copy')
      requireUsable(incoming, given)
      giveToOwnerOf(config.dataDirectory, incoming)
      // Neither a service that starts nor another restore comes in between, and what came before is found.
      using _alone = lockStart(config.dataDirectory)
      requireRight()
      using _closedOff = closeOff(database)
      keptAside = keepAside(database, iso(clock.now()))
      moveDurably(incoming, database)
    } finally {
      rmSync(incoming, { force: true })
    }
    terminal.status('')
    const { state, message } = checkMasterKey(config, usedKeyId(database))
    const missing = state === 'fail' ? message : null
    if (values.json) {
      return terminal.printJson({ file, database, keptAside: keptAside ?? null, masterKey: missing })
    }
    terminal.print(`Restored ${given} to ${database}.`)
    if (keptAside) terminal.print(`The database that was there is kept as ${keptAside}`)
    if (missing) terminal.print(`With the settings of this command the service cannot start with it yet. ${missing}`)
  },
})

function usedKeyId(database: string): string | undefined {
  using restored = new DatabaseSync(database, { readOnly: true })
  return findUsedKeyId(restored)
}

/**
 * Takes the database for this process alone, or refuses when another process has it open: only the last
 * connection may leave the write-ahead log, and what the log holds is folded into the file by it.
 */
function closeOff(database: string): Disposable {
  if (!existsSync(database)) return { [Symbol.dispose]() {} }
  const connection = new DatabaseSync(database, { timeout: 500 })
  try {
    connection.exec('pragma journal_mode = delete; begin exclusive')
    const { journal_mode } = connection.prepare('pragma journal_mode').get() as { journal_mode: string }
    if (journal_mode !== 'delete') throw inUse()
    return connection
  } catch (error) {
    connection.close()
    const { errcode } = error as { errcode?: number }
    if (errcode === undefined) throw error
    if ((errcode & 0xff) === SQLITE_BUSY) throw inUse()
    // Damaged beyond opening, which is a reason for a restore: its files are put aside as they are.
    return { [Symbol.dispose]() {} }
  }
}

const SQLITE_BUSY = 5
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

function unreadable(error: Error & { errcode?: number }): never {
  const code = (error.errcode ?? 0) & 0xff
  if (code !== SQLITE_CORRUPT && code !== SQLITE_NOTADB) throw error
  throw new CommandError(`The backup cannot be read (${error.message}). Give a file that petstore backup has written.`)
}

const inUse = () =>
  new CommandError('The database is in use by a service or another command. Stop it first, then run this again.')

/**
 * The database keeps its name too until another takes it: whatever ends this process, a start finds one of the two, and
 * not an empty place. Its log files go: left behind, SQLite would write their pages over the restored database. Says
 * where it is kept.
 */
function keepAside(database: string, now: string): string | undefined {
  const aside = `${database}.before-restore-${now.replaceAll(/[:.]/g, '-')}`
  const isThere = existsSync(database)
  if (isThere) keepUnder(database, aside)
  for (const suffix of ['-wal', '-shm', '-journal']) {
    if (existsSync(database + suffix)) renameSync(database + suffix, aside + suffix)
  }
  syncDirectory(dirname(database))
  return isThere ? aside : undefined
}

function wouldReplace(database: string): CommandError {
  return new CommandError(`There is a database at ${database}. --force replaces it, and keeps it under another name.`)
}
