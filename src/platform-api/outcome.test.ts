import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrations } from '../migrations.ts'
import { systemClock } from '../platform/clock.ts'
import type { PetstoreError } from '../platform/errors.ts'
import type { HttpRoute } from '../platform/http/exchange.ts'
import { Share } from '../platform/share.ts'
import { openStorage } from '../platform/storage/open.ts'
import { notReached } from '../platform/storage/postgres/trouble.ts'
import { settledSecret } from '../platform/storage/setting.ts'
import { dashboardInterface } from './interface.ts'
import { noting } from './outcome.ts'
import type { DashboardRoute, PublicCall } from './route.ts'

test('nobody is told that nothing was changed when the database goes away behind a change', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-outcome-'))
  await using storage = await openStorage({ dataDirectory, databaseUrl: undefined, migrations, onError: () => {} })
  const limits = { atOnce: 1, burst: 1, perMinute: 1 }
  const answer = async (does: (call: PublicCall) => Promise<unknown>) => {
    const handle: DashboardRoute['handle'] = async (call) => {
      await does(call)
      throw notReached(new Error('cut'))
    }
    const route = { id: 'createThing', method: 'POST', path: '/things', role: 'public', summary: '', takes: {}, handle }
    const [first] = dashboardInterface({
      document: async () => '',
      routes: [route as DashboardRoute],
      changes: {
        ofProject: new Share(limits, systemClock),
        ofAccount: new Share<string>(limits, systemClock, 'account'),
      },
      admit: () => Promise.reject(new Error('not asked here')),
      answered: () => {},
    }).routes as unknown as [HttpRoute<PublicCall>]
    return first.answer({ ...noting(storage) } as PublicCall, undefined as never)
  }

  await assert.rejects(
    answer(async (call) => call.storage.read.selectFrom('settings').selectAll().execute()),
    (error: PetstoreError) => /Nothing was changed: send the request again/.test(error.message) && !outcomeOf(error),
  )
  await assert.rejects(
    answer((call) => settledSecret(call.storage, 'outcome_test')),
    (error: PetstoreError) =>
      /cannot be reached right now: it may be done\. Look before/.test(error.message) &&
      outcomeOf(error) === 'unknown' &&
      error.headers['Retry-After'] === '2',
  )
  rmSync(dataDirectory, { recursive: true })
})

const outcomeOf = ({ headers }: PetstoreError) => headers['Petstore-Outcome']
