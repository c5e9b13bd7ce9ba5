import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { layOutSchema } from '../../../test/harness/schema.ts'
import { migrations } from '../../migrations.ts'
import { DAY_MS, HOUR_MS } from '../../platform/clock.ts'
import { openStorage } from '../../platform/storage/open.ts'
import { BUCKETS } from './latency.ts'
import { showRequests } from './requests.ts'
import { addCounts, type CountRow } from './writes.ts'

const NOW = Date.UTC(2030, 0, 31, 12)
const DAYS = 30

test('a month is summed up day by day, and others are served in between', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-requests-'))
  layOutSchema(dataDirectory)
  using _directory = { [Symbol.dispose]: () => rmSync(dataDirectory, { recursive: true }) }
  await using storage = await openStorage({ dataDirectory, databaseUrl: undefined, migrations, onError: () => {} })
  const durations = Object.fromEntries(BUCKETS.map((name) => [name, 0]))
  const of = { project_id: 1, area: 'production', step_ms: HOUR_MS, who: 'key_1', what: 'listPets' } as const
  const row = (at: number) => ({ ...of, at, calls: 1, failures: 0, ...durations }) as CountRow
  await storage.write(
    addCounts,
    Array.from({ length: DAYS }, (_, day) => row(NOW - day * DAY_MS)),
  )
  let [turns, isOver] = [0, false]
  const turn = () => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const shown = await showRequests(storage.read, { projectId: 1, area: 'production', range: 'month', now: NOW })
  isOver = true
  assert.deepEqual([shown.total.calls, ...shown.points.map(({ calls }) => calls)], [DAYS, ...Array(DAYS).fill(1)])
  assert.ok(turns >= DAYS, `${turns} turns`)
})
