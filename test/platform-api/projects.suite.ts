import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { updateProject } from '../../src/platform-api/change-project.ts'
import { ProjectPurge, deleteProjectRow, purgeStep } from '../../src/platform-api/delete-project.ts'
import { findAccountByEmail } from '../../src/features/accounts/queries.ts'
import { addPet } from '../../src/features/pets/writes.ts'
import { DAY_MS, HOUR_MS } from '../../src/platform/clock.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import type { Db, Tables } from '../../src/platform/storage/tables.ts'
import { meanwhile } from '../harness/meanwhile.ts'
import { until } from '../harness/until.ts'
import { expect, type House, type Person } from './house.ts'

const insertPets = defineWrite('test.insertPets', async (db, input: { projectId: number; count: number }) => {
  const pet = { project_id: input.projectId, environment: 'production', name: 'Rex', category_id: 1 }
  const row = { ...pet, status: 'available' as const, created_at: 0, updated_at: 0 }
  const pets = Array.from({ length: input.count }, (_, index) => ({ ...row, id: index + 1 }))
  await db.insertInto('pets').values(pets).execute()
})

/** The life of a project: names, slugs and its end. */
export function projectGuarantees(house: () => House): void {
  describe('a slug', () => {
    test('is taken once, also by those who ask at the same moment', async () => {
      const [one, other] = [await house().person(), await house().person()]
      const slug = `wanted-${house().clock.now()}`
      const answers = await Promise.all(
        [one, other, one, other].map(({ browser }) => browser.post('/projects', { slug })),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409])
    })

    test('that was given up is kept from others for 90 days, and its owner may take it back', async () => {
      const { slug, owner } = await house().project()
      const other = await house().person()
      const moved = expect(200, await owner.browser.patch(`/projects/${slug}`, { slug: `${slug}-new`, name: 'Moved' }))
      assert.deepEqual([moved.slug, moved.name], [`${slug}-new`, 'Moved'])
      expect(404, await owner.browser.get(`/projects/${slug}`))
      assert.match(expect(409, await other.browser.post('/projects', { slug })).message, /90 days/)
      expect(200, await owner.browser.patch(`/projects/${slug}-new`, { slug }))
      expect(200, await owner.browser.patch(`/projects/${slug}`, { slug: `${slug}-newer` }))

      await house().travel(90 * DAY_MS - 1, other)
      expect(409, await other.browser.post('/projects', { slug }))
      await house().travel(1)
      const late = await house().person()
      expect(201, await late.browser.post('/projects', { slug }))
    })

    test('of a project goes to those who own it, and not to whoever did when it was given up', async () => {
      const { slug, owner } = await house().project()
      const other = await house().member(owner, slug, 'owner')
      const [older, newer] = [`${slug}-b`, `${slug}-c`]
      expect(200, await owner.browser.patch(`/projects/${slug}`, { slug: older }))
      expect(200, await owner.browser.patch(`/projects/${older}`, { slug: newer }))
      const members = expect(200, await other.browser.get(`/projects/${newer}/members`))
      const { id } = members.find(({ email }: { email: string }) => email === owner.email)
      expect(204, await other.browser.delete(`/projects/${newer}/members/${id}`))
      const take = (who: Person, wanted: string) => who.browser.post('/projects', { slug: wanted })
      assert.match(expect(409, await take(owner, slug)).message, /90 days/)
      expect(201, await take(other, slug))
      expect(204, await other.browser.delete(`/projects/${newer}`, { confirm: newer }))
      for (const gone of [older, newer]) assert.match(expect(409, await take(owner, gone)).message, /90 days/)
      expect(201, await take(other, newer))
    })

    test('cannot be collected: whoever gives up ten in a quarter keeps the last one, or takes one back', async () => {
      const { slug, owner } = await house().project()
      for (let index = 0; index < 10; index++) {
        const from = index === 0 ? slug : `${slug}-${index}`
        expect(200, await owner.browser.patch(`/projects/${from}`, { slug: `${slug}-${index + 1}` }))
      }
      const refused = expect(409, await owner.browser.patch(`/projects/${slug}-10`, { slug: `${slug}-11` }))
      assert.match(refused.message, /given up 10 slugs/)
      expect(409, await owner.browser.post('/projects', { slug: `${slug}-12` }))
      expect(200, await owner.browser.patch(`/projects/${slug}-10`, { slug: `${slug}-9` }))
      expect(409, await owner.browser.patch(`/projects/${slug}-9`, { slug: `${slug}-11` }))
    })

    test('of the platform, or that is no DNS label, is refused with the reason', async () => {
      const { browser } = await house().person()
      for (const slug of ['www', 'ns1', 'ab', 'xn--abc', 'a_b_c', '~1', '../x']) {
        assert.match(expect(400, await browser.post('/projects', { slug })).message, /slug|reserved/)
      }
    })
  })

  describe('two changes of a project at once', () => {
    async function open() {
      const { slug, owner } = await house().project()
      const { storage } = house().shop.petstore
      const id = await idOf(storage.read, slug)
      const accountId = (await findAccountByEmail(storage.read, owner.email))!.id
      const unchanged = { id, name: undefined, slug: undefined, requireSecondFactor: undefined }
      return { slug, storage, unchanged: { ...unchanged, accountId, now: house().clock.now() } }
    }

    test('both stay: a new name does not take back the second factor that is required meanwhile', async () => {
      const { storage, unchanged } = await open()
      const required = { ...unchanged, requireSecondFactor: true }
      await meanwhile(storage, updateProject, required, () =>
        storage.write(updateProject, { ...unchanged, name: 'New' }),
      )
      const { name, require_second_factor } = await rowOf(storage.read, unchanged.id)
      assert.deepEqual([name, require_second_factor], ['New', 1])
    })

    test('both stay: a second factor is required also of a project whose slug changes meanwhile', async () => {
      const { slug, storage, unchanged } = await open()
      const renamed = { ...unchanged, slug: `${slug}-new` }
      await meanwhile(storage, updateProject, renamed, () =>
        storage.write(updateProject, { ...unchanged, requireSecondFactor: true }),
      )
      const row = await rowOf(storage.read, unchanged.id)
      assert.deepEqual([row.slug, row.require_second_factor], [`${slug}-new`, 1])
    })

    test('what a deletion keeps from strangers is the slug that the project got meanwhile', async () => {
      const { slug, storage, unchanged } = await open()
      const renamed = { ...unchanged, slug: `${slug}-new` }
      await meanwhile(storage, updateProject, renamed, () =>
        storage.write(deleteProjectRow, { ...unchanged, accountId: null }),
      )
      const stranger = await house().person()
      assert.match(expect(409, await stranger.browser.post('/projects', { slug: `${slug}-new` })).message, /90 days/)
    })
  })

  test('a NUL leads nowhere in a path and is refused in a text, whatever the database thinks of it', async () => {
    const { slug, owner } = await house().project()
    for (const path of ['/projects/%00', '/projects/a%00b/members', `/projects/${slug}/deploys/%00`]) {
      expect(404, await owner.browser.get(path))
    }
    expect(404, await owner.browser.delete(`/projects/${slug}/keys/key_%00`))
    const { browser } = await house().member(owner, slug, 'editor')
    expect(400, await browser.post(`/projects/${slug}/leave?keysTo=%00`))
    expect(400, await owner.browser.post(`/projects/${slug}/invitations`, { role: 'viewer', email: 'a\0@example.com' }))
    expect(400, await owner.browser.post(`/projects/${slug}/domains`, { hostname: 'a\0.example' }))
    expect(400, await house().browser().post('/sign-in', { email: 'a\0@example.com', password: 'wrong' }))
  })

  describe('deleting a project', () => {
    test('needs its slug typed out', async () => {
      const { slug, owner } = await house().project()
      for (const body of [{}, { confirm: '' }, { confirm: 'yes' }, { confirm: `${slug}x` }]) {
        expect(400, await owner.browser.delete(`/projects/${slug}`, body))
      }
      expect(200, await owner.browser.get(`/projects/${slug}`))
    })

    test('ends members, keys and invitations at once, and takes every row away', async () => {
      const { slug, owner } = await house().project()
      const viewer = await house().member(owner, slug, 'viewer')
      const { key } = expect(201, await owner.browser.post(`/projects/${slug}/keys`, { environment: 'production' }))
      const { shop } = house()
      const headers = { Authorization: `Bearer ${key}` }
      for (const name of ['Rex', 'Max', 'Ada']) {
        const added = await shop.call('/pets', {
          method: 'POST',
          body: { name, categoryId: 1 },
          headers: { ...headers, 'Idempotency-Key': name },
        })
        assert.equal(added.status, 201)
      }
      const [pet] = (await (await shop.call('/pets', { headers })).json()) as { id: number }[]
      const orders = `/projects/${slug}/environments/production/store/orders`
      expect(201, await owner.browser.post(orders, { petId: pet?.id }))
      const { read } = shop.petstore.storage
      const id = await idOf(read, slug)

      expect(204, await owner.browser.delete(`/projects/${slug}`, { confirm: slug }))
      assert.equal((await shop.call('/pets', { headers })).status, 401)
      expect(404, await owner.browser.get(`/projects/${slug}`))
      expect(404, await viewer.browser.get(`/projects/${slug}`))
      assert.deepEqual(expect(200, await owner.browser.get('/projects')), [])

      const tables: (keyof Tables)[] = ['pets', 'orders', 'keys', 'key_usage', 'idempotency_keys', 'members', 'deploys']
      await until('the project is gone', async () => !(await hasRow('projects', 'id')))
      for (const table of tables) assert.equal(await hasRow(table, 'project_id'), false, table)
      const last = read.selectFrom('audit_entries').select('verb').where('project_id', '=', id).orderBy('id', 'desc')
      assert.equal((await last.executeTakeFirst())?.verb, 'project.delete')
      assert.match(expect(409, await viewer.browser.post('/projects', { slug })).message, /90 days/)
      expect(201, await owner.browser.post('/projects', { slug }))

      async function hasRow(table: keyof Tables, column: string): Promise<boolean> {
        const rows = read
          .selectFrom(table)
          .select((eb) => eb.lit(1).as('one'))
          .where(column as never, '=', id as never)
        return (await rows.executeTakeFirst()) !== undefined
      }
    })

    test('that is interrupted is finished by whoever looks next, a thousand rows at a time', async () => {
      const { slug, owner } = await house().project()
      const { storage } = house().shop.petstore
      const id = await idOf(storage.read, slug)
      const tenant = { projectId: id, environment: 'production' }
      const pet = { tenant, fields: { name: 'Rex', categoryId: 1, status: 'available' as const }, now: 0 }
      await Promise.all(Array.from({ length: 2500 }, () => storage.write(addPet, pet)))
      await storage.write(deleteProjectRow, { id, accountId: null, now: house().clock.now() })
      expect(404, await owner.browser.get(`/projects/${slug}`))

      const pets = storage.read.selectFrom('pets').select('id').where('project_id', '=', id)
      const rows = async () => (await pets.execute()).length
      assert.equal(await rows(), 2500)
      await using purge = new ProjectPurge(storage, (error) => assert.fail(error as Error))
      await purge.run()
      assert.equal(await rows(), 0)
      const project = storage.read.selectFrom('projects').select('id').where('id', '=', id)
      assert.equal(await project.executeTakeFirst(), undefined)
    })

    test('that another instance has begun and left is finished within the hour', async () => {
      const { slug } = await house().project()
      const { storage } = house().shop.petstore
      const id = await idOf(storage.read, slug)
      await storage.write(deleteProjectRow, { id, accountId: null, now: house().clock.now() })
      await house().travel(HOUR_MS)
      const project = storage.read.selectFrom('projects').select('id').where('id', '=', id)
      await until('the project is gone', async () => (await project.executeTakeFirst()) === undefined)
    })

    test('that fails does not keep another from its end', async () => {
      const { storage } = house().shop.petstore
      const [held, other] = [await house().project(), await house().project()]
      const ids = [await idOf(storage.read, held.slug), await idOf(storage.read, other.slug)]
      for (const id of ids) await storage.write(deleteProjectRow, { id, accountId: null, now: house().clock.now() })
      await storage.write(holdProject, { id: ids[0] as number })
      const failures: unknown[] = []
      await using purge = new ProjectPurge(storage, (error) => failures.push(error))
      const left = storage.read.selectFrom('projects').select('id').where('id', 'in', ids)
      await purge.run()
      assert.deepEqual([failures.length, (await left.execute()).map(({ id }) => id)], [1, [ids[0]]])
      await storage.write(letProjectGo, {})
      await purge.run()
      assert.deepEqual(await left.execute(), [])
    })

    test('goes on in small steps also where two instances are at it', async () => {
      const { slug } = await house().project()
      const { storage } = house().shop.petstore
      const id = await idOf(storage.read, slug)
      await storage.write(insertPets, { projectId: id, count: 1001 })
      await storage.write(deleteProjectRow, { id, accountId: null, now: house().clock.now() })
      const second = await meanwhile(storage, purgeStep, { id }, () => storage.write(purgeStep, { id }))
      assert.equal(second.finished, false, 'one animal was left for it')
    })
  })
}

/** A row that refers to it, and does not go with it. */
const holdProject = defineWrite('test.holdProject', async (db, { id }: { id: number }) => {
  await sql`create table held (project_id bigint references projects (id))`.execute(db)
  await sql`insert into held values (${id})`.execute(db)
})

const letProjectGo = defineWrite('test.letProjectGo', async (db) => {
  await sql`drop table held`.execute(db)
})

async function idOf(db: Db, slug: string): Promise<number> {
  return (await db.selectFrom('projects').select('id').where('slug', '=', slug).executeTakeFirstOrThrow()).id
}

const rowOf = (db: Db, id: number) =>
  db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
