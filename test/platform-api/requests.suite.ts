import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import { RequestCounter } from '../../src/features/requests/counter.ts'
import { sweepRequests } from '../../src/features/requests/writes.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { askHttp } from '../deploys/visitor.ts'
import { publishOwnSite } from '../harness/own-site.ts'
import { expect, type House } from './house.ts'

export function requestGuarantees(house: () => House): void {
  describe('requests', () => {
    test('are told by time, key and operation with their latency, and failed ones by their request id', async () => {
      const { slug, owner } = await house().project()
      const { shop, clock } = house()
      const { key, id } = expect(201, await owner.browser.post(`/projects/${slug}/keys`, { environment: 'staging' }))
      const call = (path: string) =>
        shop.call(path, { environment: 'staging', headers: { Authorization: `Bearer ${key}` } })
      await call('/pets')
      clock.advance(2 * MINUTE_MS)
      await call('/pets')
      const refused = await call('/pets?limit=0')
      await call('/pets/77')

      const below = `/projects/${slug}`
      const shown = expect(200, await owner.browser.get(`${below}/requests?environment=staging&range=hour`))
      const points = shown.points.map(({ calls, failures }: { calls: number; failures: number }) => [calls, failures])
      assert.deepEqual(
        [shown.stepMs, points.length, points.slice(-3)],
        [
          MINUTE_MS,
          60,
          [
            [1, 0],
            [0, 0],
            [3, 2],
          ],
        ],
      )
      assert.deepEqual([shown.total.calls, shown.total.failures], [4, 2])
      assert.ok(shown.total.p50 > 0 && shown.total.p99 >= shown.total.p50)
      assert.deepEqual(
        shown.what.map(({ what, calls, failures }: Record<string, unknown>) => [what, calls, failures]),
        [
          ['listPets', 3, 1],
          ['getPet', 1, 1],
        ],
      )
      assert.deepEqual(
        shown.who.map(({ who, calls }: Record<string, unknown>) => [who, calls]),
        [[id, 4]],
      )
      const day = expect(200, await owner.browser.get(`${below}/requests?environment=staging`))
      assert.deepEqual([day.stepMs, day.points.length, day.total.calls], [HOUR_MS, 24, 4])
      assert.equal(expect(200, await owner.browser.get(`${below}/requests`)).total.calls, 0)
      expect(400, await owner.browser.get(`${below}/requests?range=year`))

      const failed = expect(200, await owner.browser.get(`${below}/failed-requests?environment=staging`))
      const mine = failed.find(({ operation }: { operation: string }) => operation === 'listPets')
      assert.deepEqual(mine, {
        at: new Date(clock.now()).toISOString(),
        requestId: refused.headers.get('x-request-id'),
        operation: 'listPets',
        keyId: id,
        status: 400,
        code: 'invalid_request',
      })
      assert.equal(failed.length, 2)
      assert.deepEqual(expect(200, await owner.browser.get(`${below}/failed-requests`)), [])
    })

    test('of a site are told by host and status', async () => {
      const { slug, owner } = await house().project()
      const { shop } = house()
      await publishOwnSite(shop.petstore, slug)
      const port = Number(shop.config.baseUrl.port)
      const visit = (path: string) => askHttp(port, { host: `${slug}.localhost:${port}`, path })
      assert.deepEqual(
        [(await visit('/')).status, (await visit('/')).status, (await visit('/none')).status],
        [200, 200, 404],
      )
      const { total, who, what } = expect(200, await owner.browser.get(`/projects/${slug}/traffic?range=hour`))
      assert.deepEqual([total.calls, total.failures], [3, 1])
      assert.deepEqual(
        who.map(({ who: host, calls }: Record<string, unknown>) => [host, calls]),
        [[`${slug}.localhost`, 3]],
      )
      assert.deepEqual(
        what.map(({ what: status, calls }: Record<string, unknown>) => [status, calls]),
        [
          ['200', 2],
          ['404', 1],
        ],
      )
    })

    test('add up over processes, keep 200 failures of each tenant whatever comes, and go with age', async () => {
      const { storage } = house().shop.petstore
      const { clock } = house()
      const caller = {
        keyId: 'key_of_nobody',
        projectId: 999_001,
        environment: 'production' as const,
        scopes: [],
        tenant: '999001 production',
      }
      // Its key was looked up again, as it is after every change of it.
      const again = { ...caller }
      const processes = [new RequestCounter(storage, clock), new RequestCounter(storage, clock)]
      for (const counter of processes) {
        for (let at = 0; at < 300; at++) {
          counter.call(at % 3 === 0 ? again : caller, 'listPets', true, 3)
          counter.failed(caller, 'listPets', 400, 'invalid_request', `req_${at}`)
        }
      }
      await Promise.all(processes.map((counter) => counter.flush()))
      for (const counter of processes) await counter[Symbol.asyncDispose]()
      const rows = () =>
        storage.read.selectFrom('request_counts').selectAll().where('project_id', '=', caller.projectId).execute()
      const failures = () =>
        storage.read.selectFrom('failed_requests').selectAll().where('project_id', '=', caller.projectId).execute()
      assert.deepEqual(
        (await rows()).map(({ calls, failures: of, b4 }) => [calls, of, b4]),
        [
          [600, 600, 600],
          [600, 600, 600],
        ],
      )
      assert.equal((await failures()).length, 200)
      const sweep = defineWrite('test.sweep', (db, { now }: { now: number }) => sweepRequests(db, now))
      const sweepAll = async (now: number) => {
        while (await storage.write(sweep, { now }));
      }
      await sweepAll(clock.now() + 4 * HOUR_MS)
      assert.deepEqual(
        (await rows()).map(({ step_ms }) => step_ms),
        [HOUR_MS],
      )
      await sweepAll(clock.now() + 40 * DAY_MS)
      assert.deepEqual([(await rows()).length, (await failures()).length], [0, 0])
    })
  })
}
