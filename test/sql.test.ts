import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { queriesInSql, queriesPage, QUERIES_FILE } from '../scripts/queries.ts'

const queries = await queriesInSql()

test('docs/queries.md is what the code sends to the databases', () => {
  assert.equal(readFileSync(QUERIES_FILE, 'utf8'), queriesPage(queries), 'write it anew with: npm run queries')
})

test('no prepared query walks through a whole table or sorts what it found', () => {
  assert.ok(queries.length > 10)
  // `shown` and `page` are the rows of one page.
  const isSlow = (step: string) => /^SCAN (?!CONSTANT|json_each|shown$|page$)|TEMP B-TREE/.test(step)
  const slow = queries.filter(({ plan }) => plan.some(isSlow))
  assert.deepEqual(slow, [])
})

/** The planner once took the index by status for an unfiltered page, which cost minutes on a million animals. */
for (const [question, search] of Object.entries({
  findPetPage: 'pets USING PRIMARY KEY (project_id=? AND environment=? AND id>?)',
  findPetPageByStatus: 'pets USING INDEX pets_by_status (project_id=? AND environment=? AND status=? AND id>?)',
  findPet: 'pets USING PRIMARY KEY (project_id=? AND environment=? AND id=?)',
  findOrderPage: 'orders USING PRIMARY KEY (project_id=? AND environment=? AND id>?)',
  findOrderPageByStatus: 'orders USING INDEX orders_by_status (project_id=? AND environment=? AND status=? AND id>?)',
})) {
  test(`${question} reads just the rows that it returns`, () => {
    const plan = queries.find((query) => query.question === question)?.plan ?? []
    const searches = plan.filter((step) => step.startsWith('SEARCH'))
    assert.ok(searches.length > 0)
    // A look behind the last row needs nothing but the index.
    for (const step of searches) assert.equal(step.replace('COVERING ', ''), `SEARCH ${search}`)
  })
}
