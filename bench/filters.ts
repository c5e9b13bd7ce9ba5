import { tmpdir } from 'node:os'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { createProject } from '../src/features/projects/projects.ts'
import * as orders from '../src/features/orders/queries.ts'
import { findPets } from '../src/features/pets/list.ts'
import type { ListPetsFilter } from '../src/features/pets/contract.ts'
import { migrations } from '../src/migrations.ts'
import { systemClock } from '../src/platform/clock.ts'
import { BEHIND_LAST } from '../src/platform/storage/json-page.ts'
import { openStorage } from '../src/platform/storage/open.ts'
import type { Db, Tables } from '../src/platform/storage/tables.ts'
import { startPostgres } from '../test/harness/postgres.ts'
import { judge } from './report.ts'

/**
 * What PostgreSQL reads for a page of `/v1/pets` and `/v1/store/orders`, with every combination of filters, at the
 * beginning and in the middle of a million animals: by its own account (EXPLAIN), with the values known and with the
 * plan that it keeps for any values. A list may read the rows that it shows, from each of three statuses, and no more.
 */
const ANIMALS = Number(process.argv[2] ?? 1_000_000)
const LIMIT = 20
const IDS = 100
const ROWS_MAX = 3 * (LIMIT + 1)

await using server = await startPostgres({ settings: { fsync: 'off', max_wal_size: '4GB' } })
const databaseUrl = await server.createDatabase()
await using storage = await openStorage({ dataDirectory: tmpdir(), databaseUrl, migrations, onError: () => {} })
const { id: projectId } = await createProject({ storage, clock: systemClock }, { slug: 'many' })
const tenant = { projectId, environment: 'production' as const }

const asked: { sql: string; parameters: readonly unknown[] }[] = []
const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
// The server ends first when something fails, and that is not what is to be told.
pool.on('error', () => {})
const db: Db = new Kysely<Tables>({
  dialect: new PostgresDialect({ pool }),
  log: ({ query }) => void asked.push(query),
})
await fill()

interface Seen {
  what: string
  rows: number
  blocks: number
  ms: number
  walks: string[]
}
const seen: Seen[] = []
for (const [what, list] of lists()) {
  asked.length = 0
  await list()
  const [query] = asked
  if (!query) throw new Error(`${what} asked nothing`)
  for (const mode of ['force_custom_plan', 'force_generic_plan']) seen.push({ what, ...(await explained(query, mode)) })
}
await db.destroy()

const walks = seen.flatMap(({ what, walks: found }) => found.map((node) => `${what}: ${node}`))
const most = (list: Seen[], key: 'rows' | 'blocks' | 'ms') =>
  list.reduce((one, other) => (other[key] > one[key] ? other : one))
console.log(`\n${seen.length / 2} lists of ${ANIMALS.toLocaleString('en')} animals on PostgreSQL, pages of ${LIMIT}`)
for (const [kind, list] of Object.entries(Object.groupBy(seen, ({ what }) => (what.includes(' id') ? 'ids' : 'all')))) {
  const [rows, blocks, ms] = (['rows', 'blocks', 'ms'] as const).map((key) => most(list ?? [], key))
  console.log(`  ${kind}: at most ${rows?.rows} rows (${rows?.what}), ${blocks?.blocks} blocks (${blocks?.what}),`)
  console.log(`    ${ms?.ms.toFixed(2)} ms (${ms?.what})`)
}
judge(`none walks through a table${list(walks)}`, walks.length === 0)
const many = seen.filter(({ what, rows }) => rows > (what.includes(' id') ? IDS : ROWS_MAX))
judge(
  `each reads the rows that it shows, from each status, and no more${list(many.map(({ what }) => what))}`,
  many.length === 0,
)

function list(names: readonly string[]): string {
  return names.length === 0 ? '' : `: ${[...new Set(names)].slice(0, 10).join('; ')}`
}

/** Nearly all are sold; a category has three animals, another one none that is available. */
async function fill(): Promise<void> {
  // Made of what is there, an index takes seconds; row by row, names that lie all over it take minutes.
  const { rows: indexes } = await sql<{ name: string; text: string }>`select indexname as name, indexdef as text
    from pg_indexes where tablename in ('pets', 'orders') and indexdef not like 'CREATE UNIQUE%'`.execute(db)
  for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(db)
  await sql`insert into pets (project_id, environment, id, name, category_id, status, created_at, updated_at)
    select ${projectId}, 'production', n,
      (array['Rex', 'Bella', 'Luna', 'Max', 'Ärmel'])[1 + n % 5] || ' ' || md5(n::text),
      case when n % (${ANIMALS}::int / 3) = 0 then 999 else n % 50 end,
      case when n % 50 <> 7 and n % 97 = 0 then 'available' when n % 1009 = 0 then 'pending' else 'sold' end, 0, 0
    from generate_series(1, ${ANIMALS}::int) as n`.execute(db)
  await sql`insert into orders (project_id, environment, id, pet_id, status, placed_at)
    select ${projectId}, 'production', n, 1 + n % (${ANIMALS}::int / 10),
      case when n % 89 = 0 then 'placed' when n % 3 = 0 then 'cancelled' else 'completed' end, 0
    from generate_series(1, ${ANIMALS}::int) as n`.execute(db)
  for (const { text } of indexes) await sql.raw(text).execute(db)
  await sql`vacuum analyze pets`.execute(db)
  await sql`vacuum analyze orders`.execute(db)
}

function* lists(): Generator<[what: string, list: () => unknown]> {
  const ids = Array.from({ length: IDS }, (_, at) => 1 + at * Math.floor(ANIMALS / IDS))
  for (const status of [undefined, 'available', 'sold'] as const) {
    for (const categoryId of [undefined, 3, 7, 999, 12_345]) {
      for (const id of [undefined, ids]) {
        for (const q of [undefined, 'r', 'bella 0', 'nobody']) {
          for (const order of q === undefined ? (['oldest', 'newest', 'name'] as const) : (['name'] as const)) {
            const given = { status, categoryId, id, q, order }
            const filter = JSON.parse(JSON.stringify(given)) as ListPetsFilter
            for (const isDeep of [false, true]) {
              const position = isDeep
                ? { after: ANIMALS / 2, afterKey: order === 'name' ? (q ?? 'luna') + ' 7' : undefined }
                : { after: 0, afterKey: undefined }
              const page = { limit: LIMIT, filter, list: '', ...position }
              yield [named('pets', { ...given, id: id && 'many', isDeep }), () => findPets(db, tenant, page)]
            }
          }
        }
      }
    }
  }
  for (const after of [0, ANIMALS / 2]) {
    const page = { ...tenant, limit: LIMIT }
    const back = after || BEHIND_LAST
    yield [named('orders', { after }), () => orders.findOrderPage(db, { ...page, after })]
    yield [named('orders newest', { after }), () => orders.findNewestOrderPage(db, { ...page, after: back })]
    for (const status of ['placed', 'completed'] as const) {
      yield [named('orders', { status, after }), () => orders.findOrderPageByStatus(db, { ...page, status, after })]
      const newest = { ...page, status, after: back }
      yield [named('orders newest', { status, after }), () => orders.findNewestOrderPageByStatus(db, newest)]
    }
    for (const status of [null, 'placed'] as const) {
      const ofPet = { ...page, petId: 17, status }
      yield [named('orders of a pet', { status, after }), () => orders.findOrderPageOfPet(db, { ...ofPet, after })]
      const newest = { ...ofPet, after: back }
      yield [named('orders of a pet newest', { status, after }), () => orders.findNewestOrderPageOfPet(db, newest)]
    }
    const one = { ...page, id: 17, status: null, petId: null, after }
    yield [named('orders', { id: 17, after }), () => orders.findOrderAsPage(db, one)]
  }
}

function named(what: string, given: Record<string, unknown>): string {
  const parts = Object.entries(given).filter(([, value]) => value !== undefined && value !== null)
  return [what, ...parts.map(([name, value]) => `${name}=${value}`)].join(' ')
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

async function explained(query: (typeof asked)[number], mode: string): Promise<Omit<Seen, 'what'>> {
  const client = await pool.connect()
  try {
    await client.query(`set plan_cache_mode = ${mode}`)
    // As the service sends them: what they are is for the server to find out.
    const types = query.parameters.map(() => 'unknown')
    await client.query(`prepare asked${types.length > 0 ? ` (${types.join()})` : ''} as ${query.sql}`)
    const values = query.parameters.map((value) =>
      typeof value === 'string' ? client.escapeLiteral(value) : value === null ? 'null' : String(value),
    )
    const explain = `explain (analyze, buffers, format json) execute asked (${values.join()})`
    const { rows } = await client.query(explain)
    const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN'] as [
      { Plan: PlanNode; 'Execution Time': number },
    ]
    const nodes = flat(plan)
    const scans = nodes.filter((node) => node['Relation Name'] !== undefined)
    const rowsOf = (node: PlanNode) =>
      (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
      node['Actual Loops']
    return {
      rows: Math.round(scans.reduce((sum, node) => sum + rowsOf(node), 0)),
      blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      ms,
      walks: scans.map((node) => node['Node Type']).filter((type) => type === 'Seq Scan'),
    }
  } finally {
    await client.query('deallocate all')
    client.release()
  }
}

function flat(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flat)]
}
