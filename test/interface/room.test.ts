import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { storageOf } from '../../src/features/audit/audited.ts'
import { SYSTEM } from '../../src/features/audit/record.ts'
import { orderOperations } from '../../src/features/orders/orders.ts'
import { petOperations } from '../../src/features/pets/pets.ts'
import { migrations } from '../../src/migrations.ts'
import { ManualClock, MINUTE_MS } from '../../src/platform/clock.ts'
import { createCursors } from '../../src/platform/http/lists/cursor.ts'
import { openStorage } from '../../src/platform/storage/open.ts'
import { RowRoom } from '../../src/platform/storage/rows/row-room.ts'
import { defineWrite, type Storage } from '../../src/platform/storage/storage.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'

const insertProject = defineWrite('test.insertProject', async (db, { id }: { id: number }) => {
  const project = sql`insert into projects (id, slug, name, plan, created_at)
    values (${id}, ${`p${id}`}, 'P', 'free', 0)`
  await project.execute(db)
})
const deletePet = defineWrite('test.deletePet', async (db, { id }: { id: number }) => {
  await sql`delete from pets where id = ${id}`.execute(db)
})

let postgres: PostgresDatabases
const directory = mkdtempSync(join(tmpdir(), 'petstore-room-'))
before(async () => {
  postgres = await openPostgres()
})
after(async () => {
  rmSync(directory, { recursive: true })
  await postgres[Symbol.asyncDispose]()
})

/** The operations of two projects, on a limit that the test chooses. */
async function openShop(databaseUrl: string | undefined) {
  const dataDirectory = mkdtempSync(join(directory, 'data-'))
  const storage: Storage = await openStorage({ dataDirectory, databaseUrl, migrations, onError: assert.fail })
  for (const id of [1, 2]) await storage.write(insertProject, { id })
  const clock = new ManualClock(0)
  const limit = { rows: 3, advice: 'Change the plan: Pro has room for 10.' }
  const looks = { count: 0 }
  const limitOf = async () => {
    looks.count++
    return limit
  }
  const roomNeeds = { storage, clock, limitOf }
  const rooms = { pets: new RowRoom('pets', 'animals', roomNeeds), orders: new RowRoom('orders', 'orders', roomNeeds) }
  const needs = { storage: storageOf(storage, SYSTEM, clock), clock, cursors: createCursors('x', storage.engine) }
  const operations = [...petOperations({ ...needs, rooms }), ...orderOperations({ ...needs, rooms })]
  const call = async (id: string, body: unknown, { project = 1, environment = 'production', key = '' } = {}) => {
    const operation = operations.find(({ contract }) => contract.id === id)
    const headers = key === '' ? {} : { 'idempotency-key': key }
    const caller = { projectId: project, environment }
    const { body: json } = await operation!.handle({
      caller,
      url: '',
      baseUrl: '',
      parameters: {},
      headers,
      body,
    } as never)
    return JSON.parse(json as string) as { id: number }
  }
  const add = (how?: Parameters<typeof call>[2]) => call('createPet', { name: 'Rex', categoryId: 1 }, how)
  return { storage, clock, limit, looks, rooms, call, add }
}

const FULL = {
  code: 'conflict',
  message: /^This project has all 3 animals that its plan has room for\. Nothing was added\./,
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(engine, () => {
    test('animals have a share for each project, both environments together, and nobody else notices', async () => {
      const { storage, add, looks, rooms, call } = await openShop(
        engine === 'postgres' ? await postgres.createSchema() : undefined,
      )
      await using _ = storage
      const { id } = await add({ key: 'first' })
      await Promise.all([add(), add({ environment: 'staging' })])
      await assert.rejects(add(), FULL)
      await assert.rejects(add({ environment: 'staging' }), FULL)
      await assert.rejects(add({ key: 'second' }), FULL)
      assert.equal((await add({ key: 'first' })).id, id, 'what was added with a key is told again')
      await add({ project: 2 })
      looks.count = 0
      const asked = Array.from({ length: 5 }, () => rooms.pets.used(1))
      assert.deepEqual(await Promise.all(asked), [3, 3, 3, 3, 3])
      assert.equal(looks.count, 1, 'those who ask at once are told by one look: a full project is counted')
      await call('createOrder', { petId: id })
    })

    test('orders have one too', async () => {
      const { storage, add, limit, call } = await openShop(
        engine === 'postgres' ? await postgres.createSchema() : undefined,
      )
      await using _ = storage
      const [one, other] = [await add(), await add()]
      limit.rows = 1
      await call('createOrder', { petId: one.id }, { key: 'first' })
      const full = { code: 'conflict', message: /^This project has all 1 orders / }
      await assert.rejects(call('createOrder', { petId: other.id }), full)
      await assert.rejects(call('createOrder', { petId: other.id }, { key: 'second' }), full)
      await call('createOrder', { petId: one.id }, { key: 'first' })
    })

    test('a higher plan has room at once, and rows that are gone leave theirs within a minute', async () => {
      const { storage, clock, add, limit } = await openShop(
        engine === 'postgres' ? await postgres.createSchema() : undefined,
      )
      await using _ = storage
      const { id } = await add()
      await Promise.all([add(), add()])
      await assert.rejects(add(), FULL)
      limit.rows = 4
      await add()
      limit.rows = 3
      await assert.rejects(add(), FULL)
      await storage.write(deletePet, { id: id + 1 })
      await storage.write(deletePet, { id: id + 2 })
      await assert.rejects(add(), FULL, 'counted less than a minute ago')
      clock.advance(MINUTE_MS)
      await add()
      await assert.rejects(add(), FULL)
    })
  })
}
