import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { anyCharacter } from '../../../test/harness/any-character.ts'
import { migrations } from '../../migrations.ts'
import { migrate } from '../../platform/storage/migrations.ts'
import { openSqlite } from '../../platform/storage/sqlite/connection.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { findNewestPetPage, findPet, findPetPage, findPetPageByStatus, pageOf } from './queries.ts'
import { keepPetsShown } from './shown.ts'
import { PET_STATUSES } from './status.ts'
import { type PetRow, pets } from './tables.ts'

async function openDatabase() {
  const connection = openSqlite(':memory:', { readOnly: false })
  await migrate(connection.db, 'sqlite', migrations)
  for (const id of [1, 2]) {
    await sql`insert into projects (id, slug, name, plan, created_at)
      values (${id}, ${`p${id}`}, 'P', 'pro', 0)`.execute(connection.db)
  }
  return { db: connection.db, [Symbol.dispose]: () => connection.close() }
}

type Stored = PetRow & { project_id: number; environment: string }

/** Names that look like the rows beside them, too. */
const name = fc.oneof(
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 }).map((text) => text.toWellFormed()),
  fc.constantFrom('"},{"id":7,"name":"', ',{"id":9,', '{"id":', '\\', '\\",{"id":1,'),
)
const row: fc.Arbitrary<Stored> = fc.record({
  project_id: fc.constantFrom(1, 2),
  environment: fc.constantFrom('production', 'staging'),
  id: fc.oneof(fc.nat({ max: 30 }), fc.constantFrom(2 ** 53 - 1, 2n ** 53n + 1n)),
  name,
  category_id: fc.oneof(fc.integer(), fc.constant(-(2n ** 63n))),
  status: fc.constantFrom(...PET_STATUSES),
})

const insert = (db: Db, { project_id, environment, id, name, category_id, status }: Stored) =>
  sql`insert into pets (project_id, environment, id, name, category_id, status, created_at, updated_at)
    values (${project_id}, ${environment}, ${id}, ${name}, ${category_id}, ${status}, 0, 0)
    on conflict (project_id, environment, id) do update
      set name = excluded.name, category_id = excluded.category_id, status = excluded.status`.execute(db)

const tenantOf = ({ project_id: projectId, environment }: Stored) => ({ projectId, environment })

test('what is shown of animals is what their rows say, however they were written', async () => {
  using database = await openDatabase()
  const { db } = database
  const given = fc.array(fc.tuple(row, fc.boolean()), { maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(given, fc.boolean(), async (writes, isUpgrade) => {
      await sql`delete from pets`.execute(db)
      const stored = new Map<string, Stored>()
      for (const [pet, isGone] of writes) {
        const place = `${pet.project_id} ${pet.environment} ${pet.id}`
        await insert(db, pet)
        stored.set(place, pet)
        if (!isGone) continue
        await sql`delete from pets where project_id = ${pet.project_id} and environment = ${pet.environment}
          and id = ${pet.id}`.execute(db)
        stored.delete(place)
      }
      // A migration makes it of what is there.
      if (isUpgrade) await keepPetsShown(db)
      for (const pet of stored.values()) {
        assert.deepEqual(await findPet(db, { ...tenantOf(pet), id: pet.id }), [{ json: pets.toJson(pet) }])
      }
      const { rows } = await sql<{ count: number }>`select count(*) as count from pets_shown`.execute(db)
      assert.equal(rows[0]?.count, stored.size)
    }),
    { numRuns: 60 },
  )
})

test('pages are the rows one after the other, whatever stands in their names', async () => {
  using database = await openDatabase()
  const { db } = database
  const given = fc.array(row, { minLength: 1, maxLength: 15 })
  await fc.assert(
    fc.asyncProperty(given, fc.integer({ min: 1, max: 6 }), async (rows, limit) => {
      await sql`delete from pets`.execute(db)
      for (const pet of rows) await insert(db, pet)
      const [{ project_id, environment, status }] = rows as [Stored]
      const own = [...new Map(rows.map((pet) => [`${pet.project_id} ${pet.environment} ${pet.id}`, pet])).values()]
        .filter((pet) => pet.project_id === project_id && pet.environment === environment)
        .sort((one, other) => (one.id < other.id ? -1 : 1))
      const tenant = { projectId: project_id, environment, limit, status }
      const walk = async (query: typeof findPetPageByStatus, from: number) => {
        let walked = ''
        for (let after: number | bigint | null = from; after !== null;) {
          const [found] = await query(db, { ...tenant, after })
          const page = pageOf(found as NonNullable<typeof found>, limit)
          assert.equal(page.body.at(0), '[')
          walked += `${walked === '' ? '' : ','}${page.body.slice(1, -1)}`
          after = page.next
        }
        return walked
      }
      const shown = own.map((pet) => pets.toJson(pet))
      const ofStatus = own.filter((pet) => pet.status === status).map((pet) => pets.toJson(pet))
      assert.equal(await walk(findPetPage, -1), shown.join())
      assert.equal(await walk(findPetPageByStatus, -1), ofStatus.join())
      // Ids that are given out are below this.
      const known = own.filter(({ id }) => id < Number.MAX_SAFE_INTEGER).map((pet) => pets.toJson(pet))
      assert.equal(await walk(findNewestPetPage, Number.MAX_SAFE_INTEGER), known.toReversed().join())
    }),
    { numRuns: 60 },
  )
})

test('what is shown goes with the project', async () => {
  using database = await openDatabase()
  const { db } = database
  const pet = { environment: 'production', id: 1, name: 'Rex', category_id: 1, status: 'available' } as const
  await insert(db, { ...pet, project_id: 1 })
  await insert(db, { ...pet, project_id: 2 })
  await sql`delete from projects where id = 1`.execute(db)
  assert.deepEqual(await findPet(db, { projectId: 1, environment: 'production', id: 1 }), [])
  assert.equal((await findPet(db, { projectId: 2, environment: 'production', id: 1 })).length, 1)
})

test('a migration from before a field came leaves what is shown to the one that adds it', async () => {
  const { db, close } = openSqlite(':memory:', { readOnly: false })
  try {
    const given = pets.columns.slice(0, -1).map((column) => sql.ref(column))
    await sql`create table pets (project_id, environment, ${sql.join(given)})`.execute(db)
    await keepPetsShown(db)
    await sql`alter table pets add column ${sql.ref(pets.columns.at(-1) as string)} text`.execute(db)
    await sql`insert into pets values (1, 'production', 1, 'Rex', 2, 'sold')`.execute(db)
    await keepPetsShown(db)
    assert.deepEqual(await findPet(db, { projectId: 1, environment: 'production', id: 1 }), [
      { json: '{"id":1,"name":"Rex","categoryId":2,"status":"sold"}' },
    ])
  } finally {
    close()
  }
})
