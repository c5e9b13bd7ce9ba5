import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPostgres } from '../harness/postgres.ts'
import { type ServiceProcess, startServiceProcess } from '../harness/service-process.ts'

const MODES = {
  'in local mode': {},
  'with a platform host': { PETSTORE_PLATFORM_HOST: 'pets.example', PETSTORE_DNS: '127.0.0.1:9' },
}
const INSTANCES = 3

for (const [mode, environment] of Object.entries(MODES)) {
  test(`SQLite, ${mode}: three started at once on an empty directory come up, one with the secrets`, async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-first-start-'))
    try {
      await startTogether(() => ({ dataDirectory, environment }))
    } finally {
      rmSync(dataDirectory, { recursive: true })
    }
  })

  test(`PostgreSQL, ${mode}: three started at once on an empty database come up, one with the secrets`, async () => {
    await using postgres = await openPostgres()
    const DATABASE_URL = await postgres.createDatabase()
    const PETSTORE_MASTER_KEY = randomBytes(32).toString('base64')
    await startTogether(() => ({ environment: { ...environment, DATABASE_URL, PETSTORE_MASTER_KEY } }))
  })

  async function startTogether(options: () => { dataDirectory?: string; environment: Record<string, string> }) {
    // They are not waited for to print keys: one of them does at most.
    const keys = { production: 'none', staging: 'none' }
    const starts = Array.from({ length: INSTANCES }, () => startServiceProcess({ ...options(), keys }))
    const outcomes = await Promise.allSettled(starts)
    const services = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    await using stack = new AsyncDisposableStack()
    for (const service of services) stack.use(service)
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
    assert.deepEqual(failures, [])
    for (const service of services) assert.equal((await service.call('/pets')).status, 401)
    for (const service of services) assert.equal((await service.stop()).code, 0)
    const shown = services.filter(({ stdout }: ServiceProcess) => stdout.includes('ps_live_'))
    assert.equal(shown.length, mode === 'in local mode' ? 1 : 0)
  }
}
