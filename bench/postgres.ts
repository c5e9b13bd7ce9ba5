import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresOnPaper } from '../scripts/queries.ts'
import { findPet, findPetPage, findPetPageByStatus } from '../src/features/pets/queries.ts'
import { startPostgres } from '../test/harness/postgres.ts'
import { animals, gets, importInto, mixed, NEW_PET, pagesOf } from './animals.ts'
import { type Load, measure, median, WARM_UP_SECONDS } from './load.ts'
import { report, type Row } from './report.ts'
import { startPetstore } from './servers.ts'

/**
 * The interface on PostgreSQL against pgbench, which runs the same statements without HTTP, keys or JSON: 50,000
 * animals, no two requests alike. Nothing is kept here. pgbench has as many connections as the service may have.
 */
const ROUNDS = 5
const CONNECTIONS = 16
const FLOOR = 0.4

const pgbench = findPgbench()
await using server = await startPostgres()
const url = await server.createDatabase()
await using petstore = await startPetstore({ DATABASE_URL: url })
importInto(petstore, { DATABASE_URL: url })
const scripts = mkdtempSync(join(tmpdir(), 'petstore-pgbench-'))
const pages = await pagesOf(petstore)

const GET = `\\set id random(1, ${animals.length})\n${statementOf(findPet)}`
const LIST = `\\set after random(0, ${animals.length})\n${statementOf(findPetPage)}`
const LIST_BY_STATUS = `\\set after random(0, ${animals.length})\n${statementOf(findPetPageByStatus)}`
const CREATE = `insert into pets (project_id, environment, id, name, category_id, status, created_at, updated_at)
  select 1, 'production', number_pets(1, 'production', 1) + 1, 'Rex the dog', 12, 'available', 0, 0;`

const rows: Row[] = []
try {
  compare('get a random animal', gets, [[GET, 1]])
  const lists: Weighted[] = [
    [LIST, 1],
    [LIST_BY_STATUS, 1],
  ]
  compare('list 20, random page and filter', pages, lists)
  compare('create', ['POST'], [[CREATE, 1]])
  compare('mix 45 / 45 / 10', mixed(pages), [
    [GET, 18],
    [LIST, 9],
    [LIST_BY_STATUS, 9],
    [CREATE, 4],
  ])
} finally {
  rmSync(scripts, { recursive: true })
}
report('PostgreSQL, fsync on, no two requests alike', rows)

type Weighted = [statements: string, weight: number]

/** With the names of the parameters instead of their numbers, as pgbench has them. */
function statementOf(query: Pick<typeof findPet, 'compile'>): string {
  const { sql, parameters } = query.compile(postgresOnPaper)
  const named = parameters.map((parameter) => `:${(parameter as { name: string }).name}`)
  return `${sql.replaceAll(/\$(\d+)/g, (_, number) => named[Number(number) - 1] as string)};`
}

function compare(what: string, targets: readonly string[], statements: Weighted[]): void {
  if (process.argv[2] !== undefined && !what.includes(process.argv[2])) return
  const load: Load = {
    url: `${petstore.url}/pets`,
    headers: { Authorization: `Bearer ${petstore.key}`, 'Content-Type': 'application/json' },
    body: NEW_PET,
    targets: targets.map((path) => (path === 'POST' ? path : `/v1${path}`)),
    // PostgreSQL has no core of its own: everybody shares what there is.
    isBeside: true,
  }
  measure({ ...load, seconds: WARM_UP_SECONDS })
  runPgbench(statements)
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push(runPgbench(statements))
    const { perSecond, failures } = measure(load)
    if (failures > 0) throw new Error(`${what}: ${failures} requests failed`)
    ours.push(perSecond)
  }
  rows.push({ what: `${what} / pgbench`, service: median(ours), other: median(theirs), floor: FLOOR })
}

function runPgbench(statements: Weighted[]): number {
  const files = statements.flatMap(([text, weight], index) => {
    const script = join(scripts, `${index}.sql`)
    writeFileSync(script, text)
    return ['-f', `${script}@${weight}`]
  })
  const given = { projectId: 1, environment: 'production', status: 'pending', limit: 20 }
  const variables = Object.entries(given).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const options = ['-n', '-M', 'prepared', '-c', String(CONNECTIONS), '-j', '1', '-T', '2', ...variables, ...files, url]
  const printed = execFileSync(pgbench, options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  return Number(/tps = ([\d.]+)/.exec(printed)?.[1])
}

function findPgbench(): string {
  const found = () =>
    [...globSync('/usr/lib/postgresql/*/bin/pgbench'), '/usr/bin/pgbench', '/usr/local/bin/pgbench'].find((path) =>
      existsSync(path),
    )
  if (!found() && process.getuid?.() === 0) {
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'postgresql'], { stdio: 'ignore' })
  }
  const path = found()
  if (!path) throw new Error('pgbench is needed: install it with apt-get install postgresql.')
  return path
}
