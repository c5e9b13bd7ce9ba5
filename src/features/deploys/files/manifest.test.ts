import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { PIECE_BYTES } from '../../../platform/thread/make-way.ts'
import { DEPLOY_LIMITS } from '../archive/limits.ts'
import { manifestBlobs, manifestHash, missingBlobs, planManifest, sha256Hex, type PlannedFile } from './manifest.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const fileOf = (path: string, text = path): PlannedFile => ({ path, sha256: hashOf(text), bytes: text.length })
const typeOf = (path: string) => (path.endsWith('.html') ? 'text/html; charset=utf-8' : 'application/octet-stream')
const filesArbitrary = fc
  .uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,6}$/), fc.string({ maxLength: 5 })), { selector: ([name]) => name })
  .filter((files) => files.length > 0)
  .map((files) => files.map(([name, text]) => fileOf(`${name}.html`, text)))

test('the same files give the same manifest and hash in whatever order they come', async () => {
  await fc.assert(
    fc.asyncProperty(filesArbitrary, async (files) => {
      const [one, other] = [await planManifest(files, typeOf), await planManifest(files.toReversed(), typeOf)]
      assert.deepEqual(one, other)
      assert.equal(manifestHash(one), manifestHash(other))
    }),
  )
})

test('a changed path, content or type changes the hash', async () => {
  const base = [fileOf('index.html'), fileOf('a')]
  const hashes = [
    manifestHash(await planManifest(base, typeOf)),
    manifestHash(await planManifest([fileOf('index.html'), fileOf('b', 'a')], typeOf)),
    manifestHash(await planManifest([fileOf('index.html'), fileOf('a', 'changed')], typeOf)),
    manifestHash(await planManifest(base, () => 'text/plain')),
    manifestHash(await planManifest(base.slice(1), typeOf)),
  ]
  assert.equal(new Set(hashes).size, hashes.length)
})

test('the manifest hash never changes between releases, because stored deploys are found by it', async () => {
  const manifest = await planManifest([fileOf('index.html')], typeOf)
  assert.equal(manifestHash(manifest), '7fe7d92df66264ccf0d2cc4c939f4d49b9eec9338cef056d897b25d8172f1fd4')
})

test('what has to travel is exactly what the server lacks, each blob once', async () => {
  await fc.assert(
    fc.asyncProperty(filesArbitrary, fc.array(fc.boolean()), async (files, holds) => {
      const manifest = await planManifest(files, typeOf)
      const held = new Set(
        manifestBlobs(manifest)
          .map(({ sha256 }) => sha256)
          .filter((_, i) => holds[i]),
      )
      const missing = missingBlobs(manifest, held)
      assert.equal(new Set(missing.map(({ sha256 }) => sha256)).size, missing.length)
      for (const { sha256 } of manifest) {
        assert.notEqual(
          held.has(sha256),
          missing.some((blob) => blob.sha256 === sha256),
        )
      }
    }),
  )
})

test('a plan is refused for bad paths, hashes, sizes, collisions, limits and emptiness, naming the file', async () => {
  const refusals: [PlannedFile[], RegExp][] = [
    [[fileOf('../x')], /"\.\.\/x"/],
    [[{ ...fileOf('x'), sha256: 'ABC' }], /"x".*64 lower-case/],
    [[{ ...fileOf('x'), bytes: -1 }], /"x".*size/],
    [[{ ...fileOf('x'), bytes: 0.5 }], /"x".*size/],
    [[fileOf('x', 'a'), { ...fileOf('y', 'a'), bytes: 9 }], /"y" shares its sha256/],
    [[fileOf('a'), fileOf('A')], /"a" and "A"|"A" and "a"/],
    [[fileOf('a'), fileOf('a/b')], /"a" and "a\/b"/],
    [[{ ...fileOf('x'), bytes: DEPLOY_LIMITS.fileBytesMax + 1 }], /"x" is larger than 25 MB/],
    [[], /no files/],
  ]
  for (const [files, message] of refusals) await assert.rejects(planManifest(files, typeOf), { message })
  const small = { ...DEPLOY_LIMITS, entriesMax: 2, inflatedBytesMax: 10 }
  const three = [fileOf('a'), fileOf('b'), fileOf('c')]
  await assert.rejects(planManifest(three, typeOf, small), { code: 'payload_too_large' })
  await assert.rejects(planManifest([fileOf('a', 'x'.repeat(11))], typeOf, small), /reached at "a"/)
})

test('content is addressed by the SHA-256 that everybody else computes', async () => {
  assert.equal(await sha256Hex(Buffer.from('abc')), hashOf('abc'))
})

test('others have their turns while a large file is hashed, and while many files are judged', async () => {
  assert.ok((await turnsDuring(() => sha256Hex(Buffer.alloc(10 * PIECE_BYTES)))) >= 9)
  const many = Array.from({ length: 1000 }, (_, index) => fileOf(`page-${index}.html`))
  assert.ok((await turnsDuring(() => planManifest(many, typeOf))) >= 10)
})

async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const working = work().then(() => (isDone = true))
  for (; !isDone; turns++) await nextTurn()
  await working
  return turns
}
