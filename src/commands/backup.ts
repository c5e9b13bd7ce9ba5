import { existsSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { readConfig } from '../config.ts'
import { masterKeyFile } from '../platform/master-key.ts'
import { shellWord } from '../platform/start-error.ts'
import { databaseFile } from '../platform/storage/open.ts'
import { CommandError, defineCommand } from '../../cli/src/line/command.ts'
import { alreadyThere, createPrivately, moveDurablyToNewName } from './backup/durable-file.ts'
import { json } from '../../cli/src/line/options.ts'
import { dumpPostgres } from './backup/postgres-dump.ts'
import { copyDatabase, requireUsable } from './backup/sqlite-copy.ts'

export const command = defineCommand({
  about: `Writes the whole database into one file, as it is at this moment, while the service goes on.
The file is checked before it gets its name, and never replaces another one. It holds no key that could be used:
API keys are hashes in it, and private keys are sealed with the master key, which is not part of it.

On PostgreSQL this calls pg_dump.`,
  arguments: [{ name: 'FILE', help: 'the file to write' }],
  options: { json },
  examples: ['petstore backup /backups/petstore-2030-01-31.sqlite'],
  async run({ values, arguments: [given], terminal }) {
    const config = readConfig()
    const file = resolve(given)
    if (existsSync(file)) throw alreadyThere(file)
    const partial = `${file}.${process.pid}.partial`
    createPrivately(partial)
    try {
      if (config.databaseUrl) await dumpPostgres(config.databaseUrl, partial, file)
      else await copySqlite(databaseFile(config.dataDirectory), partial, (text) => terminal.status(text))
      moveDurablyToNewName(partial, file)
    } finally {
      rmSync(partial, { force: true })
    }
    const { size: bytes } = statSync(file)
    terminal.status('')
    if (values.json) return terminal.printJson({ file, bytes })
    terminal.print(
      `Wrote ${file} (${(bytes / 1e6).toFixed(1)} MB). Put it back with: petstore restore ${shellWord(given)}`,
    )
    const key = masterKeyFile(config.dataDirectory)
    if (config.masterKey === undefined && existsSync(key)) {
      terminal.print(`Keep a copy of ${key} elsewhere too: without it the private keys in the backup stay sealed.`)
    }
  },
})

async function copySqlite(database: string, partial: string, status: (text: string) => void): Promise<void> {
  if (!existsSync(database)) {
    throw new CommandError(`There is no database at ${database}. Set PETSTORE_DATA to the directory of the service.`)
  }
  await copyDatabase(database, partial, (share) => status(`Copying: ${Math.floor(share * 100)} %`))
  status('Checking the copy')
  requireUsable(partial, 'The copy')
}
