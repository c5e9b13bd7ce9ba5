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
    await runPgDump(['--format=custom', `--file=${partial}`, `--dbname=${dbname}`], manualCommand(file))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const manualCommand = (file: string) => `pg_dump --format=custom --file='${file}' --dbname="$DATABASE_URL"`

export const restoreCommand = (file: string) =>
  `pg_restore --clean --if-exists --single-transaction --dbname="$DATABASE_URL" '${file}'`

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

/** Without its password, which stands behind the user, up to the last @ before the path, or in the query. */
function addressForDump(databaseUrl: string): string {
  const [, scheme = '', user = '', rest = ''] = /^(\w+:\/\/)(?:([^:/?#]*)(?::[^/?#]*)?@)?(.*)$/s.exec(databaseUrl) ?? []
  const [place = '', query = ''] = rest.split(/\?(.*)/s)
  const settings = query.split('&').filter((setting) => {
    const [name] = new URLSearchParams(setting).keys()
    return name !== undefined && !NOT_FOR_DUMP.has(name)
  })
  return scheme + (user && `${user}@`) + place + (settings.length === 0 ? '' : `?${settings.join('&')}`)
}
