import type { Client } from 'pg'
import { type Clock, SECOND_MS } from '../../platform/clock.ts'
import { serversOf } from '../../platform/storage/postgres/servers.ts'
import { type Check, fail, ok, warn } from './check.ts'
import { checkSchema } from './schema.ts'

const TIMEOUT_MS = 3000
const SKEW_MAX_MS = 2 * SECOND_MS

/** Every host of the address: at least one must be reached and accept writes. */
export async function checkPostgres(databaseUrl: string, clock: Clock): Promise<Check[]> {
  const { default: pg } = await import('pg')
  const checks: Check[] = []
  let writable = false
  for (const server of serversOf(databaseUrl).list) {
    const name = `PostgreSQL ${server.host}:${server.port}`
    const client = new pg.Client({ ...server, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS })
    client.on('error', () => {})
    try {
      await client.connect()
      const { version, standby, skewMs } = await askServer(client, clock)
      checks.push(ok(name, `${version}, ${standby ? 'a standby' : 'accepts writes'}`))
      if (!standby && !writable) checks.push(checkSkew(skewMs), checkSchema(await appliedInPostgres(client)))
      writable ||= !standby
    } catch (error) {
      const { message } = error as Error
      checks.push(warn(name, `not reached (${message}). Check the address, the password and that it runs.`))
    } finally {
      await client.end().catch(() => {})
    }
  }
  if (!writable) checks.push(fail('PostgreSQL', 'No server of DATABASE_URL accepts writes. The service cannot start.'))
  return checks
}

async function askServer(client: Client, clock: Clock) {
  const before = clock.now()
  const { rows } = await client.query<{ version: string; standby: boolean; now: string }>(
    "select current_setting('server_version') as version, pg_is_in_recovery() as standby, " +
      '(extract(epoch from clock_timestamp()) * 1000)::text as now',
  )
  const { version, standby, now } = rows[0] as { version: string; standby: boolean; now: string }
  const halfway = (before + clock.now()) / 2
  return { version, standby, skewMs: Number(now) - halfway }
}

function checkSkew(skewMs: number): Check {
  const seconds = (Math.abs(skewMs) / SECOND_MS).toFixed(1)
  return Math.abs(skewMs) > SKEW_MAX_MS
    ? warn('clocks', `This machine and PostgreSQL differ by ${seconds} s. Set both by NTP.`)
    : ok('clocks', `this machine and PostgreSQL agree within ${seconds} s`)
}

async function appliedInPostgres(client: Client): Promise<string[] | undefined> {
  const { rows: tables } = await client.query("select to_regclass('kysely_migration') as found")
  if (tables[0]?.found === null) return undefined
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  return rows.map((row) => row.name)
}
