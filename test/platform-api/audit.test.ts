import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { storageOf } from '../../src/features/audit/audited.ts'
import { COMMAND } from '../../src/features/audit/record.ts'
import { findProject } from '../../src/features/projects/projects.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import type { Db } from '../../src/platform/storage/tables.ts'
import { expect, type House, openHouse, PASSWORD, type Person, tokenOf } from './house.ts'

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house?.[Symbol.asyncDispose]())

interface Entry {
  id: number
  actor: { kind: string; name: string }
  verb: string
  subject: string
  details: Record<string, unknown>
}

interface Filling {
  slug: string
  accountId: string
  count: number
}

/** Changes of one animal, which are the account's own as well. */
const fill = defineWrite('test.fill', async (db, { slug, accountId, count }: Filling) => {
  await sql`insert into audit_entries (id, at, project_id, account_id, actor_kind, actor_name, verb, subject, details)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    select 1000000 + n, 0, (select id from projects where slug = ${slug}), ${accountId}, 'system', '', 'pet.update',
      '17', '{}'
    from numbers`.execute(db)
})

const entriesOf = async ({ browser }: Person, slug: string): Promise<Entry[]> =>
  expect(200, await browser.get(`/projects/${slug}/audit?limit=100`))

describe('the audit log', () => {
  test('tells every change of a project with who made it, newest first, and nothing that did not happen', async () => {
    const { slug, owner } = await house.project()
    const editor = await house.member(owner, slug, 'editor')
    const below = `/projects/${slug}`
    const store = `${below}/environments/staging`
    const { browser } = editor

    const key = expect(201, await browser.post(`${below}/keys`, { environment: 'staging', name: 'Till' }))
    const successor = expect(201, await browser.post(`${below}/keys/${key.id}/rotate`, {}))
    expect(200, await browser.delete(`${below}/keys/${successor.id}`))
    const pet = expect(201, await browser.post(`${store}/pets`, { name: 'Rex', categoryId: 1 }))
    expect(200, await browser.patch(`${store}/pets/${pet.id}`, { name: 'Max' }))
    const order = expect(201, await browser.post(`${store}/store/orders`, { petId: pet.id }))
    expect(409, await browser.post(`${store}/store/orders`, { petId: pet.id }))
    for (let times = 0; times < 2; times++) {
      expect(200, await browser.patch(`${store}/store/orders/${order.id}`, { status: 'completed' }))
    }
    expect(204, await browser.delete(`${store}/pets/${pet.id}`))
    expect(400, await browser.post(`${store}/pets`, { name: '' }))
    expect(404, await browser.delete(`${below}/keys/key_none`))
    expect(200, await owner.browser.patch(below, { name: 'Renamed' }))
    expect(200, await house.operator.browser.put(`/operator/projects/${slug}/plan`, { plan: 'pro' }))
    expect(200, await house.operator.browser.put(`/operator/projects/${slug}/plan`, { plan: 'pro' }))
    expect(204, await browser.post(`${below}/leave`))

    const entries = await entriesOf(owner, slug)
    assert.deepEqual(
      entries.map(({ verb }) => verb).filter((verb) => !verb.startsWith('deploy')),
      [
        'key.revoke',
        'member.remove',
        'project.plan',
        'project.change',
        'pet.delete',
        'order.end',
        'order.place',
        'pet.change',
        'pet.add',
        'key.revoke',
        'key.rotate',
        'key.create',
        'member.join',
        'invitation.create',
        'project.create',
      ],
    )
    const byVerb = new Map(entries.map((entry) => [entry.verb, entry]))
    assert.equal(byVerb.get('key.create')?.actor.name, editor.email)
    assert.deepEqual(byVerb.get('key.create')?.details, { environment: 'staging', name: 'Till', scopes: 'read write' })
    assert.equal(byVerb.get('project.plan')?.actor.name, house.operator.email)
    assert.deepEqual(byVerb.get('project.plan')?.details, { from: 'free', to: 'pro' })
    assert.deepEqual(byVerb.get('project.change')?.details, { oldName: slug, name: 'Renamed' })
    assert.equal(byVerb.get('member.join')?.actor.name, editor.email)
  })

  test('says from and to, and can be asked about one thing of one environment', async () => {
    const { slug, owner } = await house.project()
    const at = (environment: string) => `/projects/${slug}/environments/${environment}/pets`
    const { id } = expect(201, await owner.browser.post(at('production'), { name: 'Rex', categoryId: 1 }))
    await owner.browser.patch(`${at('production')}/${id}`, { status: 'sold', categoryId: 1 })
    await owner.browser.post(at('staging'), { name: '"environment":"production"', categoryId: 1 })
    await owner.browser.post(`/projects/${slug}/environments/production/store/orders`, { petId: id })
    const asked = `/projects/${slug}/audit?about=pet&environment=production&subject=${id}`
    const entries: Entry[] = expect(200, await owner.browser.get(asked))
    assert.deepEqual(
      entries.map(({ verb }) => verb),
      ['pet.change', 'pet.add'],
    )
    const { details } = entries[0] as Entry
    assert.deepEqual(details, {
      environment: 'production',
      changed: 'categoryId status',
      'status from': 'available',
      'status to': 'sold',
    })
    const inStaging: Entry[] = expect(200, await owner.browser.get(`/projects/${slug}/audit?environment=staging`))
    assert.equal(inStaging.length, 1)
    expect(400, await owner.browser.get(`/projects/${slug}/audit?about=nothing`))
  })

  test('is read page by page, without gaps or repetitions while it grows', async () => {
    const { slug, owner } = await house.project()
    const pets = `/projects/${slug}/environments/production/pets`
    const add = async () => expect(201, await owner.browser.post(pets, { name: 'Rex', categoryId: 1 }))
    for (let index = 0; index < 12; index++) await add()
    const all = (await entriesOf(owner, slug)).map(({ id }) => id)
    const read: number[] = []
    let next: string | undefined = `/projects/${slug}/audit?limit=5`
    while (next) {
      const answer = await owner.browser.get(next)
      read.push(...expect(200, answer).map(({ id }: Entry) => id))
      next = /<([^>]+)>; rel="next"/.exec(String(answer.headers.link ?? ''))?.[1]
      await add()
    }
    assert.deepEqual(read, all)
    const stolen = await owner.browser.get(`/projects/${slug}/audit?limit=5`)
    const cursor = new URL(/<([^>]+)>/.exec(String(stolen.headers.link))?.[1] as string).searchParams.get('cursor')
    const other = await house.project()
    expect(400, await other.owner.browser.get(`/projects/${other.slug}/audit?limit=5&cursor=${cursor}`))
  })

  test('of an account tells sign-ins and changes of its password', async () => {
    const person = await house.person()
    expect(200, await person.browser.post('/sign-in', { email: person.email, password: 'correct horse battery' }))
    const entries: Entry[] = expect(200, await person.browser.get('/account/audit'))
    assert.deepEqual(
      entries.map(({ verb }) => verb),
      ['session.open', 'account.create'],
    )
    assert.deepEqual(entries[0]?.details, { network: '127.0.0.1', userAgent: 'Test browser', newDevice: false })
  })

  test('says who joined, which invitations ended with their maker, and can be asked about tokens', async () => {
    const { slug, owner } = await house.project()
    const invite = async ({ browser }: Person) =>
      expect(201, await browser.post(`/projects/${slug}/invitations`, { role: 'owner' }))
    const { browser, email } = await house.person()
    expect(200, await browser.post('/invitations/accept', { token: tokenOf((await invite(owner)).link) }))
    const token = { name: 'CI', scopes: ['deploys:write'] }
    const { id } = expect(201, await owner.browser.post(`/projects/${slug}/tokens`, token))
    const [left, ...others] = [await invite({ browser, email }), await invite(owner), await invite(owner)]
    expect(204, await browser.post(`/projects/${slug}/leave`))
    const change = { currentPassword: PASSWORD, newPassword: 'another horse, another battery' }
    expect(200, await owner.browser.post('/password', change))

    const about = async (noun: string) =>
      expect(200, await owner.browser.get(`/projects/${slug}/audit?about=${noun}`)).map(
        ({ verb, subject }: Entry) => `${verb} ${subject}`,
      )
    assert.deepEqual(await about('member'), [`member.remove ${email}`, `member.join ${email}`])
    assert.deepEqual(await about('token'), [`token.create ${id}`])
    const withdrawn = (await about('invitation')).filter((entry: string) => entry.startsWith('invitation.withdraw'))
    assert.deepEqual(withdrawn.slice(-1), [`invitation.withdraw ${left?.id}`])
    assert.deepEqual(
      new Set(withdrawn.slice(0, -1)),
      new Set(others.map((invitation) => `invitation.withdraw ${invitation.id}`)),
    )
  })

  test('of an account has no entry for a name that stays, and can be asked about its second factors', async () => {
    const { browser } = await house.person()
    for (const name of ['Ada', ' Ada ', 'Ada']) expect(200, await browser.patch('/account', { name }))
    const entries: Entry[] = expect(200, await browser.get('/account/audit?about=account'))
    assert.deepEqual(
      entries.map(({ verb }) => verb),
      ['account.rename', 'account.create'],
    )
    for (const noun of ['second-factor', 'recovery-codes']) {
      assert.deepEqual(expect(200, await browser.get(`/account/audit?about=${noun}`)), [])
    }
  })

  test('is looked through in parts for what is rare in it, so that nobody waits for the whole of it', async () => {
    const { slug, owner } = await house.project()
    const { browser } = owner
    const token = expect(201, await browser.post(`/projects/${slug}/tokens`, { name: 'CI', scopes: ['audit:read'] }))
    const { id: accountId, email } = expect(200, await browser.get('/session')).account
    await house.shop.petstore.storage.write(fill, { slug, accountId, count: 20_000 })
    const pages = async (start: string) => {
      const verbs: string[][] = []
      for (let path: string | undefined = start; path !== undefined;) {
        const answer = await browser.get(path)
        verbs.push(expect(200, answer).map(({ verb }: Entry) => verb))
        path = /<.*\/platform\/v1([^>]+)>; rel="next"/.exec(String(answer.headers.link ?? ''))?.[1]
      }
      return verbs
    }
    const log = `/projects/${slug}/audit`
    assert.deepEqual(await pages(`${log}?about=token`), [[], [], ['token.create']])
    // Of one thing there may be as many.
    assert.deepEqual(await pages(`${log}?subject=17&about=token`), [[], [], []])
    assert.deepEqual(await pages(`${log}?subject=${token.id}&about=token`), [['token.create']])
    const own = `/account/audit?subject=${encodeURIComponent(email)}`
    assert.deepEqual(await pages(own), [[], [], ['account.create']])
  })

  test('cannot be gone round: a write that says nothing about its entry is refused', async () => {
    const { storage } = house.shop.petstore
    const silent = defineWrite('test.silent', rename)
    // @ts-expect-error -- without a note it does not compile, and does nothing where it runs in spite of that
    await assert.rejects(storageOf(storage, COMMAND, house.clock).write(silent, {}), TypeError)
    assert.equal(await firstName(), 'My pet shop')
  })

  test('and the change are one transaction: where the entry fails, nothing has changed', async () => {
    const { storage } = house.shop.petstore
    const note = () => {
      throw new Error('no words for it')
    }
    const broken = defineWrite('test.broken', rename, { note })
    await assert.rejects(storageOf(storage, COMMAND, house.clock).write(broken, {}), /no words for it/)
    assert.equal(await firstName(), 'My pet shop')
  })

  async function rename(db: Db): Promise<void> {
    await db.updateTable('projects').set({ name: 'Half done' }).where('slug', '=', 'petstore').execute()
  }

  const firstName = async () => (await findProject(house.shop.petstore, 'petstore')).name
})
