import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sweepAudit } from '../../src/features/audit/sweep.ts'
import { DAY_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import type { ShareView } from '../../src/platform-api/share-view.ts'
import { expect, type House, openHouse } from './house.ts'

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house?.[Symbol.asyncDispose]())

test('changes have a share for each project: whoever uses it up is told so, and nobody else notices', async () => {
  const [eve, ada] = [await house.project(), await house.project()]
  const rename = ({ slug, owner }: typeof eve, name: string) => owner.browser.patch(`/projects/${slug}`, { name })
  const inTurns = Array.from({ length: 7 }, async (_, worker) => {
    const answers: Awaited<ReturnType<typeof rename>>[] = []
    for (let change = 0; change < 43; change++) answers.push(await rename(eve, `Shop ${worker} ${change}`))
    return answers
  })
  const answers = (await Promise.all(inTurns)).flat()
  assert.equal(answers.filter(({ status }) => status === 200).length, 300)
  const refused = answers.filter(({ status }) => status !== 200)
  for (const { json, headers } of refused) {
    assert.equal(json.code, 'rate_limited')
    assert.match(json.message, /^Changes: this project has used its share, 300 in one go and 120 a minute\./)
    assert.equal(headers['retry-after'], '1')
  }
  const shares: ShareView[] = expect(200, await eve.owner.browser.get(`/projects/${eve.slug}/shares`))
  assert.deepEqual(
    shares.find(({ share }) => share === 'changes'),
    {
      share: 'changes',
      used: 300,
      limit: 300,
      perMinute: 120,
    },
  )
  expect(200, await rename(ada, 'Kennel'))
  await house.travel(MINUTE_MS, eve.owner)
  expect(200, await rename(eve, 'After a minute'))
})

test('the shares of a project say what is used of what', async () => {
  const { slug, owner } = await house.project()
  expect(201, await owner.browser.post(`/projects/${slug}/keys`, { environment: 'staging' }))
  const shares: ShareView[] = expect(200, await owner.browser.get(`/projects/${slug}/shares`))
  const said = Object.fromEntries(shares.map(({ share, used, limit }) => [share, [used, limit]]))
  const [stored, ...storage] = said.storage as number[]
  assert.ok(stored! >= 0 && stored! < 1_000_000, 'the starter site is small')
  assert.deepEqual(
    { ...said, storage },
    {
      storage: [1_000_000_000],
      keys: [1, 100],
      domains: [0, 100],
      changes: [1, 300],
      verify: [0, 30],
      dnsQuestions: [0, 6000],
      liveChecks: [0, 30],
    },
  )
})

test('the audit log is kept for its time, and entries beyond it are taken away', async () => {
  const { slug, owner } = await house.project()
  const { storage } = house.shop.petstore
  const count = async () => (await storage.read.selectFrom('audit_entries').select('id').execute()).length
  expect(200, await owner.browser.patch(`/projects/${slug}`, { name: 'Old' }))
  const before = await count()
  await house.travel(30 * DAY_MS, owner)
  expect(200, await owner.browser.patch(`/projects/${slug}`, { name: 'New' }))
  await sweepAudit(storage, 400, house.clock.now())
  assert.ok((await count()) > before)
  await sweepAudit(storage, 29, house.clock.now())
  const left = await storage.read.selectFrom('audit_entries').select(['at', 'verb']).execute()
  assert.ok(left.length > 0 && left.every(({ at }) => at >= house.clock.now() - DAY_MS))
})
