import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '../../../cli/src/line/command.ts'
import { passwordOf } from '../../platform/storage/postgres/servers.ts'

/** Dumps with pg_dump where it is installed; says how to do it elsewhere where it is not. */
export async function dumpPostgres(databaseUrl: string, partial: string, file: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-dump-'))
  try {
    const url = addressForDump(databaseUrl)
    const password = passwordOf(databaseUrl)
    // In a file of its own: every user of the machine can read a command line.
    const passwordFile = join(directory, 'password')
    writeFileSync(passwordFile, `*:*:*:*:${password.replaceAll(/[\\:]/g, '\\$&')}\n`, { mode: 0o600 })
    const separator = url.includes('?') ? '&' : '?'
    const dbname = password === '' ? url : `${url}${separator}passfile=${encodeURIComponent(passwordFile)}`
    await runPgDump(['--format=custom', `--file=${partial}`, `--dbname=${dbname}`], manualCommand(url, file))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const manualCommand = (address: string, file: string) =>
  `pg_dump --format=custom --file=${quoted(file)} --dbname=${quoted(address)}`

/**
 * How a dump is put back: into a new database. In the one that is used, tables that came after the dump would stay, and
 * keep those of the dump from being replaced, or the next upgrade from making its own.
 */
export function restoreAdvice(databaseUrl: string, file: string, at: string): string {
  const database = `petstore_restored_${at.replaceAll(/\D/g, '').slice(0, 14)}`
  const [used, fresh] = [addressForDump(databaseUrl), addressForDump(databaseUrl, database)]
  return `Stop every instance, then run:

  createdb --encoding=UTF8 --locale=C --template=template0 --maintenance-db=${quoted(used)} ${database}
  pg_restore --no-owner --single-transaction --dbname=${quoted(fresh)} ${quoted(file)}

They ask for the password, or read it from PGPASSWORD or ~/.pgpass. Then let DATABASE_URL name ${database}
instead, and start again. The database that was there stays as it is.`
}

/** For a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

async function runPgDump(args: string[], manual: string): Promise<void> {
  const child = spawn('pg_dump', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk))
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    if (code === 0) return
  } catch {
    throw new CommandError(
      'The data is in PostgreSQL, and pg_dump is not installed here. Install the PostgreSQL client of your ' +
        `server's version, or run this where it is:\n\n  ${manual}`,
    )
  }
  const advice = `Run it with a client of the server's version:\n\n  ${manual}`
  throw new CommandError(`pg_dump failed: ${complaint.trim()}\n\n${advice}`)
}

/** What every user may see, and what settings of ours PostgreSQL's own programs refuse. */
const NOT_FOR_DUMP = new Set(['password', 'pgbouncer', 'query_timeout'])

/**
 * Without its password, which stands behind the user, up to the last @ before the path, or in the query; of another
 * database of the same server where one is named.
 */
function addressForDump(databaseUrl: string, database?: string): string {
  const [, scheme = '', user = '', rest = ''] = /^(\w+:\/\/)(?:([^:/?#]*)(?::[^/?#]*)?@)?(.*)$/s.exec(databaseUrl) ?? []
  const [place = '', query = ''] = rest.split(/\?(.*)/s)
  const settings = query.split('&').filter((setting) => {
    const [name] = new URLSearchParams(setting).keys()
    return name !== undefined && !NOT_FOR_DUMP.has(name)
  })
  const named = database === undefined ? place : place.replace(/(?:\/.*)?$/s, `/${database}`)
  return scheme + (user && `${user}@`) + named + (settings.length === 0 ? '' : `?${settings.join('&')}`)
}
