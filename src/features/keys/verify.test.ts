import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../config.ts'
import { openConfiguredStorage } from '../../service/database.ts'
import { ManualClock, SECOND_MS } from '../../platform/clock.ts'
import { PetstoreError } from '../../platform/errors.ts'
import { createLog } from '../../platform/log.ts'
import { ChangeFeed } from '../../platform/storage/change-feed.ts'
import { createProject } from '../projects/projects.ts'
import { hashKey, mintKey } from './format.ts'
import { until } from '../../../test/harness/until.ts'
import { createKey, revokeKey } from './keys.ts'
import { KeyVerifier } from './verify.ts'

async function openVerifier() {
  await using opening = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'petstore-verify-'))
  opening.defer(() => rmSync(directory, { recursive: true, force: true }))
  const storage = opening.use(
    await openConfiguredStorage(readConfig({ PETSTORE_DATA: directory }), createLog('silent')),
  )
  const clock = new ManualClock(0)
  const { id } = await createProject({ storage, clock }, { slug: 'verifier' })
  const { id: keyId, key } = await createKey({ storage, clock }, id, { environment: 'production' })
  const verifier = new KeyVerifier(storage, clock, new ChangeFeed(storage, clock))
  const opened = opening.move()
  // The feed is never started: a verifier that no notice reaches.
  const revoke = () => revokeKey({ storage, clock }, id, keyId)
  return {
    verifier,
    clock,
    revoke,
    header: `Bearer ${key}`,
    hash: hashKey(key),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const unauthorized = (error: unknown) => error instanceof PetstoreError && error.code === 'unauthorized'

test('a key that has been seen costs no query', async () => {
  await using opened = await openVerifier()
  const found = [1, 2].map(() => opened.verifier.authenticate(opened.header, 'production'))
  assert.ok(
    found.every((caller) => caller instanceof Promise),
    'not before it was found',
  )
  await Promise.all(found)
  const caller = opened.verifier.authenticate(opened.header, 'production')
  assert.equal(caller instanceof Promise, false)
  assert.equal(opened.verifier.authenticate(opened.header, 'production'), caller)
  assert.throws(() => opened.verifier.authenticate(opened.header, 'staging'), unauthorized)
})

test('junk costs no query, and is refused also when there is nothing to ask', async () => {
  const opened = await openVerifier()
  await opened[Symbol.asyncDispose]()
  const junk = [
    undefined,
    '',
    'Bearer',
    'Bearer x',
    `Bearer ${mintKey('staging')}`,
    opened.header.slice(0, -1),
    `${opened.header}x`,
  ]
  for (const header of junk)
    await assert.rejects(async () => opened.verifier.authenticate(header, 'production'), unauthorized)
  const unknown = async () => opened.verifier.authenticate(`Bearer ${mintKey('production')}`, 'production')
  await assert.rejects(unknown, (error) => !unauthorized(error))
})

test('a change that is announced while a key is looked up is not overwritten by what the look-up saw', async () => {
  await using opened = await openVerifier()
  const lookUp = opened.verifier.authenticate(opened.header, 'production')
  opened.verifier.forget(opened.hash)
  await lookUp
  assert.ok(opened.verifier.authenticate(opened.header, 'production') instanceof Promise, 'asks again')
})

test('only one spelling of the header is remembered, the one that is forgotten with the key', async () => {
  await using opened = await openVerifier()
  for (const header of [opened.header, opened.header.toLowerCase().slice(0, 6) + opened.header.slice(6)]) {
    await opened.verifier.authenticate(header, 'production')
  }
  assert.equal(opened.verifier.authenticate(opened.header, 'production') instanceof Promise, false)
  opened.verifier.forget(opened.hash)
  for (const header of [opened.header, `bearer ${opened.header.slice(7)}`]) {
    assert.ok(opened.verifier.authenticate(header, 'production') instanceof Promise)
  }
})

test('a revoked key is refused within five seconds, even if no notice of it ever arrives', async () => {
  await using opened = await openVerifier()
  const caller = await opened.verifier.authenticate(opened.header, 'production')
  await opened.revoke()
  opened.clock.advance(4 * SECOND_MS)
  assert.equal(opened.verifier.authenticate(opened.header, 'production'), caller, 'and is asked about meanwhile')
  await until('the database has been asked', async () => {
    try {
      await opened.verifier.authenticate(opened.header, 'production')
      return false
    } catch (error) {
      return unauthorized(error)
    }
  })
})

test('what the database said five seconds ago counts no longer, also when it cannot be asked', async () => {
  const opened = await openVerifier()
  await opened.verifier.authenticate(opened.header, 'production')
  opened.clock.advance(5 * SECOND_MS)
  const again = opened.verifier.authenticate(opened.header, 'production')
  assert.ok(again instanceof Promise)
  await again
  opened.clock.advance(-SECOND_MS)
  const back = opened.verifier.authenticate(opened.header, 'production')
  assert.ok(back instanceof Promise, 'nor after the clock was set back')
  await back
  await opened[Symbol.asyncDispose]()
  opened.clock.advance(5 * SECOND_MS)
  await assert.rejects(
    async () => opened.verifier.authenticate(opened.header, 'production'),
    (error) => !unauthorized(error),
  )
})
