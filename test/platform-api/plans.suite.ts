import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storageOf } from '../../src/features/audit/audited.ts'
import { COMMAND } from '../../src/features/audit/record.ts'
import { newProof } from '../../src/features/domains/claims.ts'
import { insertDomain, removeDomainRow } from '../../src/features/domains/writes.ts'
import { findProjectBySlug } from '../../src/features/projects/queries.ts'
import { changePlan, changePlanRow } from '../../src/platform-api/change-project.ts'
import { deleteProjectRow } from '../../src/platform-api/delete-project.ts'
import { newId } from '../../src/platform/id.ts'
import { meanwhile } from '../harness/meanwhile.ts'
import { expect, type House } from './house.ts'

const newDomain = (projectId: number, hostname: string, now: number) => ({
  id: newId('dom'),
  projectId,
  hostname,
  proof: newProof(),
  targetLabel: `target-${projectId}`,
  look: { startedAt: now, lead: 'elsewhere' as const, ownZone: null, rivals: { open: 0, ever: 0 } },
  now,
})

/** What a project's plan has room for. */
export function planGuarantees(house: () => House): void {
  test('a plan is set by the operator, and by nobody else', async () => {
    const { slug, owner } = await house().project()
    const { browser: operator } = house().operator
    const plan = 'enterprise'
    expect(403, await owner.browser.put(`/operator/projects/${slug}/plan`, { plan }))
    assert.equal(expect(200, await operator.put(`/operator/projects/${slug}/plan`, { plan })).plan, plan)
    assert.equal(expect(200, await owner.browser.get(`/projects/${slug}`)).plan, 'enterprise')
    expect(400, await operator.put(`/operator/projects/${slug}/plan`, { plan: 'gold' }))
    expect(404, await operator.put('/operator/projects/nowhere/plan', { plan: 'pro' }))
  })

  test('a plan is not taken from under custom domains: the refusal says how many are in the way', async () => {
    const { slug } = await house().project()
    const { shop, clock } = house()
    const storage = storageOf(shop.petstore.storage, COMMAND, clock)
    const change = (plan: string) => changePlan({ storage }, slug, plan)
    await change('pro')
    const projectId = (await findProjectBySlug(storage.read, slug))!.id
    const add = (hostname: string) => storage.write(insertDomain, newDomain(projectId, hostname, clock.now()))
    await add('one.example')
    await assert.rejects(change('free'), { code: 'conflict', message: /has a custom domain.*remove/ })
    await add('two.example')
    await assert.rejects(change('free'), { code: 'conflict', message: /has 2 custom domains.*remove/ })
    assert.equal((await change('enterprise')).plan, 'enterprise')
    for (const hostname of ['one.example', 'two.example']) {
      await storage.write(removeDomainRow, { projectId, hostname, revoke: false, now: clock.now() })
    }
    assert.equal((await change('free')).plan, 'free')
  })

  test('a domain that is added while the plan or the project goes is never left without them', async () => {
    const { slug } = await house().project()
    const { shop, clock, operator } = house()
    const { storage } = shop.petstore
    const change = (plan: string) => operator.browser.put(`/operator/projects/${slug}/plan`, { plan })
    const now = clock.now()
    const id = (await findProjectBySlug(storage.read, slug))!.id
    expect(200, await change('pro'))
    const refused = await meanwhile(storage, insertDomain, newDomain(id, 'first.example', now), () => change('free'))
    assert.match(expect(409, refused).message, /has a custom domain/)
    await storage.write(removeDomainRow, { projectId: id, hostname: 'first.example', revoke: false, now })
    const add = (hostname: string) => () => storage.write(insertDomain, newDomain(id, hostname, now))
    const downgrade = { slug, plan: 'free' as const }
    const late = await meanwhile(storage, changePlanRow, downgrade, add('second.example'))
    assert.equal(late.kind, 'plan_required')
    expect(200, await change('pro'))
    const gone = await meanwhile(storage, deleteProjectRow, { id, accountId: null, now }, add('third.example'))
    assert.equal(gone.kind, 'no_project')
  })
}
