import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { previewLabel } from '../../src/features/deploys/preview.ts'
import { findProjectBySlug } from '../../src/features/projects/queries.ts'
import { Suspensions, suspendProject } from '../../src/features/projects/suspensions.ts'
import { ChangeFeed } from '../../src/platform/storage/change-feed.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { askHttp } from '../deploys/visitor.ts'
import { publishOwnSite } from '../harness/own-site.ts'
import { until } from '../harness/until.ts'
import { expect, type House, PASSWORD, tokenOf } from './house.ts'

export function suspensionGuarantees(house: () => House): void {
  test('a suspended project tells its reason, shows and changes nothing, and goes on as it was', async () => {
    const { slug, owner } = await house().project()
    const { shop, operator } = house()
    await publishOwnSite(shop.petstore, slug)
    const port = Number(shop.config.baseUrl.port)
    const visit = () => askHttp(port, { host: `${slug}.localhost:${port}` })
    const { key } = expect(201, await owner.browser.post(`/projects/${slug}/keys`, { environment: 'production' }))
    const call = () => shop.call('/pets', { headers: { Authorization: `Bearer ${key}` } })
    const add = () =>
      owner.browser.post(`/projects/${slug}/environments/production/pets`, { name: 'Rex', categoryId: 1 })
    const [deploy] = expect(200, await owner.browser.get(`/projects/${slug}/deploys`))
    const preview = () => askHttp(port, { host: `${previewLabel(deploy.id)}.localhost:${port}` })
    const statuses = async () => [(await visit()).status, (await preview()).status, (await call()).status]
    assert.deepEqual([...(await statuses()), (await add()).status], [200, 200, 200, 201])

    const at = `/operator/projects/${slug}/suspension`
    expect(403, await owner.browser.send(at, { method: 'PUT', body: { reason: 'Mine' } }))
    expect(400, await operator.browser.send(at, { method: 'PUT', body: { reason: ' ' } }))
    const body = { reason: 'It sends spam.' }
    assert.equal(expect(200, await operator.browser.send(at, { method: 'PUT', body })).suspension.reason, body.reason)
    const page = await visit()
    assert.deepEqual(
      [page.status, /This site is suspended/.test(page.text), /spam/.test(page.text)],
      [403, true, false],
    )
    const refused = await call()
    assert.equal(refused.status, 403)
    assert.deepEqual(await refused.json(), {
      code: 'forbidden',
      message: 'This project is suspended: It sends spam. Ask the operator of this platform.',
      status: 403,
    })
    // Else the bell would ring for as long as the suspension lasts.
    expect(204, await owner.browser.post(`/projects/${slug}/notifications/read`, { upTo: 1 }))
    assert.match(expect(403, await add()).message, /suspended: It sends spam\./)
    assert.equal(expect(200, await owner.browser.get(`/projects/${slug}/environments/production/pets`)).length, 1)
    assert.equal(expect(200, await owner.browser.get(`/projects/${slug}`)).suspension.reason, body.reason)
    assert.deepEqual(await statuses(), [403, 403, 403])

    assert.equal(expect(200, await operator.browser.send(at, { method: 'DELETE' })).suspension, null)
    assert.deepEqual([...(await statuses()), (await add()).status], [200, 200, 200, 201])
    const noted = expect(200, await owner.browser.get(`/projects/${slug}/audit?about=project`))
    const verbs = noted.map(({ verb }: { verb: string }) => verb)
    assert.deepEqual(verbs.slice(0, 2), ['project.resume', 'project.suspend'])
    expect(404, await operator.browser.send('/operator/projects/nowhere-at-all/suspension', { method: 'PUT', body }))
  })

  test('nobody joins a suspended project, and whoever was invited does so when it goes on', async () => {
    const { slug, owner } = await house().project()
    const { operator } = house()
    const invite = async () =>
      tokenOf(expect(201, await owner.browser.post(`/projects/${slug}/invitations`, { role: 'viewer' })).link)
    const [token, another] = [await invite(), await invite()]
    const at = `/operator/projects/${slug}/suspension`
    expect(200, await operator.browser.send(at, { method: 'PUT', body: { reason: 'It sends spam.' } }))
    const guest = await house().person()
    const stranger = { email: 'stranger@suspended.example', name: 'New', password: PASSWORD, token: another }
    for (const refused of [
      await guest.browser.post('/invitations/accept', { token }),
      await house().browser().post('/sign-up', stranger),
    ]) {
      assert.match(expect(403, refused).message, /^This project is suspended, and nobody can join it/)
    }
    expect(200, await operator.browser.send(at, { method: 'DELETE' }))
    expect(200, await guest.browser.post('/invitations/accept', { token }))
    expect(201, await house().browser().post('/sign-up', stranger))
  })

  test('whoever wants to leaves a suspended project, and the last owner stays as ever', async () => {
    const { slug, owner } = await house().project()
    const guest = await house().person()
    const { link } = expect(201, await owner.browser.post(`/projects/${slug}/invitations`, { role: 'viewer' }))
    expect(200, await guest.browser.post('/invitations/accept', { token: tokenOf(link) }))
    // As long as it may be, in characters that each take two places: the log has all of them, and no half of one.
    const body = { reason: `!${'🐕'.repeat(499)}` }
    const at = `/operator/projects/${slug}/suspension`
    expect(200, await house().operator.browser.send(at, { method: 'PUT', body }))
    const [noted] = expect(200, await owner.browser.get(`/projects/${slug}/audit`))
    assert.deepEqual(noted.details, body)
    expect(204, await guest.browser.post(`/projects/${slug}/leave`))
    expect(404, await guest.browser.get(`/projects/${slug}`))
    assert.doesNotMatch(expect(409, await owner.browser.post(`/projects/${slug}/leave`)).message, /suspended/)
  })

  test('a suspension counts also where the database could not be asked when it was announced', async () => {
    const { slug } = await house().project()
    const { clock } = house()
    const { storage } = house().shop.petstore
    const { id } = (await findProjectBySlug(storage.read, slug))!
    await using changes = new ChangeFeed(storage, clock)
    const suspensions = new Suspensions(storage, changes)
    await changes.start()
    await suspendProject({ storage }, { slug, reason: 'It sends spam.', now: clock.now() })
    await storage.write(rename, { from: 'suspensions', to: 'suspensions_away' })
    await changes.catchUp()
    // Behind the one that the announcement has begun.
    await assert.rejects(suspensions.load(), /suspensions/)
    await storage.write(rename, { from: 'suspensions_away', to: 'suspensions' })
    await changes.catchUp()
    await until('it counts', () => suspensions.of(id) !== undefined)
  })
}

const rename = defineWrite('test.rename', async (db, { from, to }: { from: string; to: string }) => {
  await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db)
})
