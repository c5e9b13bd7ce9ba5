import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAY_MS } from '../clock.ts'
import { PetstoreError } from '../errors.ts'
import { idempotentUse, type OnceOutcome, readIdempotencyKey, RunningKeys } from './idempotency.ts'

const refusedWith = (code: string) => (error: unknown) => error instanceof PetstoreError && error.code === code

test('a key is the same bare and quoted', () => {
  const printable = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 255,
  })
  fc.assert(
    fc.property(printable, (key) => {
      const quoted = `"${key.replaceAll(/["\\]/g, String.raw`\$&`)}"`
      assert.equal(readIdempotencyKey(quoted), key)
      if (key.trim() === key && !key.startsWith('"')) assert.equal(readIdempotencyKey(key), key)
    }),
  )
  assert.equal(readIdempotencyKey(undefined), undefined)
})

test('a key that is empty, too long, unprintable or half quoted is refused', () => {
  for (const header of ['', '   ', '""', 'é', 'a\tb', '"a', '"a"b', '"a\\', 'k'.repeat(256), `"${'k'.repeat(256)}"`]) {
    assert.throws(() => readIdempotencyKey(header), refusedWith('invalid_request'), header)
  }
})

test('a fingerprint tells operations and bodies apart to the last digit, and lives a day', () => {
  const of = (operation: string, body: unknown) => idempotentUse('k', operation, body, 1000).fingerprint
  assert.equal(of('createPet', { name: 'a', id: 1 }), of('createPet', { name: 'a', id: 1 }))
  const bodies = [
    { id: 9007199254740993n },
    { id: 9007199254740992n },
    { id: '9007199254740993n' },
    { id: 1 },
    { id: '1' },
    {},
  ]
  const fingerprints = bodies.map((body) => of('createPet', body))
  // A text can look like a bigint here, but no field of a validated body may be either.
  assert.equal(new Set(fingerprints).size, bodies.length - 1)
  assert.notEqual(of('createPet', { petId: 1 }), of('createOrder', { petId: 1 }))
  assert.equal(idempotentUse('k', 'createPet', {}, 1000).expiresAt, 1000 + DAY_MS)
})

test('a key that is running is refused until it has ended, however it ends', async () => {
  const running = new RunningKeys()
  const tenant = { projectId: 1, environment: 'production' }
  const use = idempotentUse('k', 'createPet', {}, 0)
  let finish: (outcome: OnceOutcome) => void = () => {}
  const first = running.once(tenant, use, () => new Promise((resolve) => (finish = resolve)))
  const never = () => Promise.reject(new Error('must not run'))
  await assert.rejects(running.once(tenant, use, never), refusedWith('conflict'))
  const done = { kind: 'done', answer: '{}', replayed: false } as const
  assert.deepEqual(await running.once({ ...tenant, environment: 'staging' }, use, async () => done), done)
  finish(done)
  assert.deepEqual(await first, done)

  await assert.rejects(
    running.once(tenant, use, async () => ({ kind: 'mismatch' })),
    refusedWith('idempotency_mismatch'),
  )
  await assert.rejects(
    running.once(tenant, use, () => Promise.reject(new Error('disk'))),
    /disk/,
  )
  assert.deepEqual(await running.once(tenant, use, async () => done), done)
})
