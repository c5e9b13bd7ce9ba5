import type { Client } from 'pg'
import { type Clock, SECOND_MS } from '../../platform/clock.ts'
import type { Config } from '../../config.ts'
import { FIND_KEY_ID } from '../../platform/master-key.ts'
import { encodingTrouble } from '../../platform/storage/postgres/encoding.ts'
import { serversOf } from '../../platform/storage/postgres/servers.ts'
import { type Check, fail, ok, warn } from './check.ts'
import { checkMasterKey } from './master-key.ts'
import { checkSchema } from './schema.ts'

const TIMEOUT_MS = 3000
const SKEW_MAX_MS = 2 * SECOND_MS

/** Every host of the address: at least one must be reached and accept writes. */
export async function checkPostgres(config: Config, databaseUrl: string, clock: Clock): Promise<Check[]> {
  const { default: pg } = await import('pg')
  const checks: Check[] = []
  let writable = false
  for (const server of serversOf(databaseUrl).list) {
    const name = `PostgreSQL ${server.host}:${server.port}`
    const client = new pg.Client({ ...server, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS })
    client.on('error', () => {})
    try {
      await client.connect()
      const { version, encoding, standby, skewMs } = await askServer(client, clock)
      checks.push(ok(name, `${version}, ${standby ? 'a standby' : 'accepts writes'}`))
      if (!standby && !writable) {
        checks.push(checkEncoding(encoding), checkSkew(skewMs), checkSchema(await appliedInPostgres(client)))
        checks.push(checkMasterKey(config, await usedKeyId(client)))
      }
      writable ||= !standby
    } catch (error) {
      const { message } = error as Error
      checks.push(warn(name, `not reached (${message}). Check the address, the password and that it runs.`))
    } finally {
      await client.end().catch(() => {})
    }
  }
  if (!writable) {
    checks.push(fail('PostgreSQL', 'No server of DATABASE_URL accepts writes. The service cannot start.'))
    checks.push(checkMasterKey(config, undefined))
  }
  return checks
}

interface Server {
  version: string
  encoding: string
  standby: boolean
  now: string
}

async function askServer(client: Client, clock: Clock) {
  const before = clock.now()
  const { rows } = await client.query<Server>(
    "select current_setting('server_version') as version, current_setting('server_encoding') as encoding, " +
      'pg_is_in_recovery() as standby, (extract(epoch from clock_timestamp()) * 1000)::text as now',
  )
  const { now, ...server } = rows[0] as Server
  const halfway = (before + clock.now()) / 2
  return { ...server, skewMs: Number(now) - halfway }
}

function checkEncoding(encoding: string): Check {
  const trouble = encodingTrouble(encoding)
  return trouble === undefined ? ok('encoding', encoding) : fail('encoding', trouble)
}

function checkSkew(skewMs: number): Check {
  const seconds = (Math.abs(skewMs) / SECOND_MS).toFixed(1)
  return Math.abs(skewMs) > SKEW_MAX_MS
    ? warn('clocks', `This machine and PostgreSQL differ by ${seconds} s. Set both by NTP.`)
    : ok('clocks', `this machine and PostgreSQL agree within ${seconds} s`)
}

async function usedKeyId(client: Client): Promise<string | undefined> {
  const { rows: tables } = await client.query("select to_regclass('settings') as found")
  if (tables[0]?.found === null) return undefined
  return (await client.query<{ value: string }>(FIND_KEY_ID)).rows[0]?.value
}

async function appliedInPostgres(client: Client): Promise<string[] | undefined> {
  const { rows: tables } = await client.query("select to_regclass('kysely_migration') as found")
  if (tables[0]?.found === null) return undefined
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  return rows.map((row) => row.name)
}
