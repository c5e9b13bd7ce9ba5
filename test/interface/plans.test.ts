import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import '../../src/main.ts'
import { migrations } from '../../src/migrations.ts'
import { openStorage } from '../../src/platform/storage/open.ts'
import { preparedQueries } from '../../src/platform/storage/prepared.ts'
import type { Storage } from '../../src/platform/storage/storage.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'

/** Enough that PostgreSQL would rather sort or walk than search, if no index fitted. */
const ANIMALS = 20_000
const LIMIT = 21

let server: PostgresDatabases
let storage: Storage
let dataDirectory: string
before(async () => {
  server = await openPostgres()
  dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-plans-'))
  const databaseUrl = await server.createSchema()
  storage = await openStorage({ dataDirectory, databaseUrl, migrations, onError: () => {} })
  // All of one category, status and first letter, but for a few at the far end: who walks, walks all of it.
  const fill = sql`
    insert into projects (id, slug, name, plan, created_at) values (1, 'kennel', 'Kennel', 'pro', 0);
    insert into pets (project_id, environment, id, name, category_id, status, created_at, updated_at)
    select 1, 'production', n, concat('Pet ', n), n / ${sql.lit(ANIMALS - 10)},
      case when n % ${sql.lit(ANIMALS - 5)} = 0 then 'sold' else 'available' end, 0, 0
    from generate_series(1, ${sql.lit(ANIMALS)}) as n;
    insert into orders (project_id, environment, id, pet_id, status, placed_at)
    select 1, 'production', n, n, case when n = ${sql.lit(ANIMALS)} then 'completed' else 'cancelled' end, 0
    from generate_series(1, ${sql.lit(ANIMALS)}) as n;
    analyze pets;
    analyze orders`
  for (const statement of fill.compile(storage.read).sql.split(';')) await sql.raw(statement).execute(storage.read)
})
after(async () => {
  await storage?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
  rmSync(dataDirectory, { recursive: true, force: true })
})

/** Where the lists are asked to begin; the second is at the end of the walk, behind nearly all of them. */
const PLACES = {
  'from the beginning': { after: 0, before: Number.MAX_SAFE_INTEGER, afterName: 'pet' },
  'from the middle': { after: ANIMALS / 2, before: ANIMALS / 2, afterName: 'pet 5' },
}

for (const question of [...preparedQueries.keys()].filter((name) =>
  /^find(?:Newest)?(?:Pet|Order)(?:s |Page)/.test(name),
)) {
  test(`${question} reads no more rows than it returns, whichever animals are rare`, async () => {
    for (const [where, place] of Object.entries(PLACES)) {
      for (const status of question.includes('Order') ? ['cancelled', 'completed'] : ['available', 'sold', 'pending']) {
        for (const categoryId of [0, 1, 7]) {
          const values: Record<string, unknown> = {
            projectId: 1,
            environment: 'production',
            status,
            categoryId,
            after: /newest/i.test(question) ? place.before : place.after,
            afterName: place.afterName,
            nameEnd: 'pet:',
            ids: JSON.stringify(Array.from({ length: 100 }, (_, at) => ANIMALS - at)),
            limit: LIMIT,
          }
          const read = await rowsRead(question, values)
          const most = question.endsWith('ids') ? 100 : 3 * LIMIT
          assert.ok(read <= most, `${read} rows, ${where}, ${status}, category ${categoryId}`)
        }
      }
    }
  })
}

/** What PostgreSQL really looked at in the table, whether it then passed on it or not. */
async function rowsRead(question: string, values: Record<string, unknown>): Promise<number> {
  const query = preparedQueries.get(question)
  assert.ok(query)
  const db = storage.read as unknown as Kysely<unknown>
  const compiled = query.compile(storage.read)
  const parameters = compiled.parameters.map((slot) =>
    typeof slot === 'object' && slot !== null ? values[(slot as { name: string }).name] : slot,
  )
  const explained = { ...compiled, sql: `explain (analyze, format json) ${compiled.sql}`, parameters }
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explained)
  return readBy((rows[0] as (typeof rows)[number])['QUERY PLAN'][0].Plan)
}

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

function readBy(node: PlanNode): number {
  const passedOn = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const own = node['Relation Name'] === undefined ? 0 : (node['Actual Rows'] + passedOn) * node['Actual Loops']
  return own + (node.Plans ?? []).reduce((sum, part) => sum + readBy(part), 0)
}
