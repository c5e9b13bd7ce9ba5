import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../config.ts'
import { openConfiguredStorage } from '../../main.ts'
import { ManualClock } from '../../platform/clock.ts'
import { PetstoreError } from '../../platform/errors.ts'
import { createLog } from '../../platform/log.ts'
import { ChangeFeed } from '../../platform/storage/change-feed.ts'
import { createProject } from '../projects/projects.ts'
import { hashKey, mintKey } from './format.ts'
import { createKey } from './keys.ts'
import { KeyVerifier } from './verify.ts'

async function openVerifier() {
  await using opening = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'petstore-verify-'))
  opening.defer(() => rmSync(directory, { recursive: true, force: true }))
  const storage = opening.use(
    await openConfiguredStorage(readConfig({ PETSTORE_DATA: directory }), createLog('silent')),
  )
  const clock = new ManualClock(0)
  const { id } = await createProject({ storage, clock }, { slug: 'verify' })
  const { key } = await createKey({ storage, clock }, id, { environment: 'production' })
  const verifier = new KeyVerifier(storage, clock, new ChangeFeed(storage, clock))
  const opened = opening.move()
  return { verifier, header: `Bearer ${key}`, hash: hashKey(key), [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

const unauthorized = (error: unknown) => error instanceof PetstoreError && error.code === 'unauthorized'

test('a key that has been seen costs no query', async () => {
  await using opened = await openVerifier()
  const first = opened.verifier.authenticate(opened.header, 'production')
  assert.ok(first instanceof Promise)
  assert.equal(
    opened.verifier.authenticate(opened.header, 'production') instanceof Promise,
    true,
    'not before it was found',
  )
  const caller = await first
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
