import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPetstore } from '../client/src/client.ts'
import { startPostgres } from '../test/harness/postgres.ts'
import { measure } from './load.ts'
import { report, type Row } from './report.ts'
import { startPetstore } from './servers.ts'

/** The interface on PostgreSQL against pgbench, which runs the same statements without HTTP, keys or JSON. */
const pgbench = findPgbench()
await using server = await startPostgres()
const url = await server.createDatabase()
await using petstore = await startPetstore({ DATABASE_URL: url })
const headers = { Authorization: `Bearer ${petstore.key}`, 'Content-Type': 'application/json' }
const NEW_PET = JSON.stringify({ name: 'Rex the dog', categoryId: 12 })
const client = createPetstore({ key: petstore.key, baseUrl: petstore.url })
for (let count = 0; count < 40; count++) await client.pets.create({ name: 'Rex the dog', categoryId: 12 })

const scripts = mkdtempSync(join(tmpdir(), 'petstore-pgbench-'))
const LIST = `select id, name, category_id, status from pets
  where project_id = 1 and environment = 'production' and id > 0 order by id limit 21;`
const CREATE = `insert into pets (project_id, environment, id, name, category_id, status, created_at, updated_at)
  select 1, 'production', number_pets(1, 'production', 1) + 1, 'Rex the dog', 12, 'available', 0, 0;`

const rows: Row[] = []
try {
  rows.push(compare('listPets on PostgreSQL / pgbench', LIST, { url: `${petstore.url}/pets`, headers }))
  const create = { url: `${petstore.url}/pets`, headers, method: 'POST', body: NEW_PET } as const
  rows.push(compare('createPet on PostgreSQL / pgbench', CREATE, create))
} finally {
  rmSync(scripts, { recursive: true })
}
report('PostgreSQL, fsync on', rows)

function compare(what: string, statements: string, load: Parameters<typeof measure>[0]): Row {
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < 4; round++) {
    theirs.push(runPgbench(statements))
    ours.push(measure(load).perSecond)
  }
  // The first round warms both up.
  return { what, service: mean(ours.slice(1)), other: mean(theirs.slice(1)), floor: 0.4 }
}

function runPgbench(statements: string): number {
  const script = join(scripts, 'statements.sql')
  writeFileSync(script, statements)
  const options = ['-n', '-M', 'prepared', '-c', '16', '-j', '1', '-T', '2', '-f', script, url]
  const printed = execFileSync(pgbench, options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return Number(/tps = ([\d.]+)/.exec(printed)?.[1])
}

function findPgbench(): string {
  const found = () =>
    [...globSync('/usr/lib/postgresql/*/bin/pgbench'), '/usr/local/bin/pgbench'].find((path) => existsSync(path))
  if (!found() && process.getuid?.() === 0) {
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'postgresql'], { stdio: 'ignore' })
  }
  const path = found()
  if (!path) throw new Error('pgbench is needed: install it with apt-get install postgresql.')
  return path
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
