import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { planOf, queriesInSql, queriesPage, QUERIES_FILE } from '../scripts/queries.ts'
import { countFoundOrders } from '../src/features/orders/queries.ts'
import { countFoundPets } from '../src/features/pets/count.ts'
import { migrations } from '../src/migrations.ts'
import { migrate } from '../src/platform/storage/migrations.ts'
import { openSqlite } from '../src/platform/storage/sqlite/connection.ts'

const queries = await queriesInSql()

test('docs/queries.md is what the code sends to the databases', () => {
  assert.equal(readFileSync(QUERIES_FILE, 'utf8'), queriesPage(queries), 'write it anew with: npm run queries')
})

test('no prepared query walks through a whole table or sorts what it found', () => {
  assert.ok(queries.length > 10)
  // `shown` and `page` are the rows of one page, `named` up to a hundred that were asked for by their ids.
  const isSlow = (step: string) => /^SCAN (?!CONSTANT|json_each|shown$|page$|named$)|TEMP B-TREE/.test(step)
  const slow = queries.filter(({ plan }) => plan.some((step) => isSlow(step) && !isSortOfNamed(step, plan)))
  assert.deepEqual(slow, [])
})

const isSortOfNamed = (step: string, plan: string[]) => /TEMP B-TREE/.test(step) && plan.includes('SCAN named')

const TENANT = 'project_id=? AND environment=?'
const BEHIND_NAME = '(name_key,id)>(?,?) AND name_key<?'

/** The planner once took the index by status for an unfiltered page, which cost minutes on a million animals. */
for (const [question, search] of Object.entries({
  findPetPage: 'pets_shown USING PRIMARY KEY (tenant=? AND id>?)',
  findPetPageByStatus: 'pets_shown USING INDEX pets_shown_by_status (tenant=? AND status=? AND id>?)',
  findNewestPetPage: 'pets_shown USING PRIMARY KEY (tenant=? AND id<?)',
  findNewestPetPageByStatus: 'pets_shown USING INDEX pets_shown_by_status (tenant=? AND status=? AND id<?)',
  findPet: 'pets_shown USING PRIMARY KEY (tenant=? AND id=?)',
  ...bothWays('findPets oldest of a category', `pets_by_category (${TENANT} AND category_id=? AND status=? AND id>?)`),
  ...bothWays('findPets newest of a category', `pets_by_category (${TENANT} AND category_id=? AND status=? AND id<?)`),
  ...bothWays('findPets name', `pets_by_status_name (${TENANT} AND status=? AND ${BEHIND_NAME})`),
  ...bothWays(
    'findPets name of a category',
    `pets_by_category_name (${TENANT} AND category_id=? AND status=? AND ${BEHIND_NAME})`,
  ),
  'findPets oldest by ids': `pets USING PRIMARY KEY (${TENANT} AND id=?)`,
  'findPets newest by ids': `pets USING PRIMARY KEY (${TENANT} AND id=?)`,
  'findPets name by ids': `pets USING PRIMARY KEY (${TENANT} AND id=?)`,
  findOrder: `orders USING PRIMARY KEY (${TENANT} AND id=?)`,
  findOrderPage: `orders USING PRIMARY KEY (${TENANT} AND id>?)`,
  findOrderPageByStatus: `orders USING INDEX orders_by_status (${TENANT} AND status=? AND id>?)`,
  findOrderPageOfPet: `orders USING INDEX orders_by_pet (${TENANT} AND pet_id=? AND id>?)`,
  findNewestOrderPageOfPet: `orders USING INDEX orders_by_pet (${TENANT} AND pet_id=? AND id<?)`,
  findOrderAsPage: `orders USING PRIMARY KEY (${TENANT} AND id=?)`,
  findNewestOrderPage: `orders USING PRIMARY KEY (${TENANT} AND id<?)`,
  findNewestOrderPageByStatus: `orders USING INDEX orders_by_status (${TENANT} AND status=? AND id<?)`,
})) {
  test(`${question} reads just the rows that it returns`, () => {
    const plan = queries.find((query) => query.question === question)?.plan ?? []
    const searches = plan.filter((step) => step.startsWith('SEARCH'))
    assert.ok(searches.length > 0)
    // A look behind the last row needs nothing but the index.
    for (const step of searches) assert.equal(step.replace('COVERING ', ''), `SEARCH ${search}`)
  })
}

/** Of one status, and merged from a look for each. */
function bothWays(question: string, index: string): Record<string, string> {
  return { [question]: `pets USING INDEX ${index}`, [`${question} of a status`]: `pets USING INDEX ${index}` }
}

test('every list of animals is among those whose plans are held here', () => {
  const lists = queries.filter(({ question }) => question.startsWith('findPets '))
  assert.equal(lists.length, 11)
})

/** They are made on the thread that serves everybody. */
test('a count reads just the rows that it counts, whichever filters are combined', async () => {
  const { raw, db, close } = openSqlite(':memory:', { readOnly: false })
  try {
    await migrate(db, 'sqlite', migrations)
    const asked: string[] = []
    const prepare = raw.prepare.bind(raw)
    raw.prepare = (text, ...more) => {
      asked.push(text)
      return prepare(text, ...more)
    }
    const tenant = { projectId: 1, environment: 'production' } as const
    for (const more of [{}, { status: 'sold' }, { categoryId: 1 }, { q: 'a' }, { q: 'a', status: 'sold' }] as const) {
      await countFoundPets(db, tenant, { id: [1, 2], ...more })
    }
    for (const more of [{}, { status: 'completed' }] as const) {
      await countFoundOrders(db, tenant, { petId: 1, ...more })
      await countFoundOrders(db, tenant, { petId: 1, id: 1, ...more })
    }
    raw.prepare = prepare
    const searches = asked.flatMap((text) => planOf(raw, text)).filter((step) => step.startsWith('SEARCH'))
    const expected = [
      `SEARCH pets USING PRIMARY KEY (${TENANT} AND id=?)`,
      `SEARCH orders USING INDEX orders_by_pet (${TENANT} AND pet_id=?)`,
      `SEARCH orders USING PRIMARY KEY (${TENANT} AND id=?)`,
    ]
    assert.deepEqual([...new Set(searches.map((step) => step.replace('COVERING ', '')))], expected)
  } finally {
    close()
  }
})
