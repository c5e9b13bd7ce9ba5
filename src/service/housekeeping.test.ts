import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { layOutSchema } from '../../test/harness/schema.ts'
import { until } from '../../test/harness/until.ts'
import { migrations } from '../migrations.ts'
import { DAY_MS, HOUR_MS, ManualClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import { openStorage } from '../platform/storage/open.ts'
import { defineWrite, type Storage, type Write } from '../platform/storage/storage.ts'
import { startHousekeeping } from './housekeeping.ts'

const NOW = Date.UTC(2030, 0, 1)
const EXPIRED = 2500
/** Entries that a clock has dated which was wrong for some days. */
const AHEAD = 600

const fill = defineWrite('test.fill', async (db) => {
  const key = (index: number, expires_at: number) => ({
    project_id: 1,
    environment: 'production' as const,
    key: `key-${index}`,
    fingerprint: '',
    answer: '',
    expires_at,
  })
  for (let first = 0; first < EXPIRED; first += 500) {
    const rows = Array.from({ length: 500 }, (_, index) => key(first + index, NOW))
    await db.insertInto('idempotency_keys').values(rows).execute()
  }
  await db
    .insertInto('idempotency_keys')
    .values(key(EXPIRED, NOW + HOUR_MS))
    .execute()
  const who = {
    project_id: null,
    account_id: null,
    actor_kind: 'system' as const,
    actor_id: null,
    actor_name: 'Petstore',
  }
  const entry = (id: number, at: number) => ({ id, at, ...who, verb: 'test', subject: 'test', details: '{}' })
  const whileClockWasAhead = Array.from({ length: AHEAD }, (_, index) => entry(index, NOW + 365 * DAY_MS))
  const old = entry(AHEAD, NOW - 500 * DAY_MS)
  await db
    .insertInto('audit_entries')
    .values([...whileClockWasAhead, old])
    .execute()
  await db.schema.dropTable('mails').execute()
})

test('what is over goes in small steps, and what cannot be swept keeps nothing else', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-housekeeping-'))
  layOutSchema(dataDirectory)
  using _directory = { [Symbol.dispose]: () => rmSync(dataDirectory, { recursive: true }) }
  await using storage = await openStorage({ dataDirectory, databaseUrl: undefined, migrations, onError: () => {} })
  const { read } = storage
  await storage.write(fill, undefined)
  const steps: string[] = []
  const counted = Object.assign(Object.create(storage) as Storage, {
    write<Input, Outcome>(write: Write<Input, Outcome>, input: Input): Promise<Outcome> {
      steps.push((input as { what?: string }).what ?? write.name)
      return storage.write(write, input)
    },
  })
  const clock = new ManualClock(NOW)
  const config = { auditDays: 400, smtp: undefined }
  await using _housekeeping = startHousekeeping({ config, storage: counted, clock, log: createLog('silent') })
  await until(
    'the log is swept',
    async () => (await read.selectFrom('audit_entries').select('at').execute()).length === AHEAD,
  )
  const left = await read.selectFrom('idempotency_keys').select('key').execute()
  assert.deepEqual(
    left.map(({ key }) => key),
    [`key-${EXPIRED}`],
  )
  assert.equal(steps.filter((step) => step === 'idempotency keys').length, 4)
})
