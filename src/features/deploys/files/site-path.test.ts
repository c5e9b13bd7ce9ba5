import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../../../test/harness/any-character.ts'
import { PetstoreError } from '../../../platform/errors.ts'
import { findCollision, parseSitePath, quotedPath, refuseCollisions, sitePathProblem } from './site-path.ts'

const anyText = fc.string({ unit: anyCharacter, maxLength: 40 })
const segment = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((text) => !/[/\\\p{Cc}\u2028\u2029\uFFFD]|^\.{1,2}$|^[A-Za-z]:/u.test(text.normalize('NFC')))
const goodPath = fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => segments.join('/'))
const anyPath = fc.oneof(
  anyText,
  goodPath,
  fc
    .array(fc.oneof(segment, fc.constantFrom('', '.', '..', 'C:', '\\', '.well-known', 'acme-challenge'), anyText))
    .map((segments) => segments.join('/')),
)

test('an accepted path is relative, composed, and stays below the site however it is resolved', () => {
  fc.assert(
    fc.property(anyPath, (raw) => {
      if (sitePathProblem(raw) !== undefined) return
      const path = parseSitePath(raw)
      assert.equal(path, path.normalize('NFC'))
      assert.equal(parseSitePath(path), path, 'parsing again changes nothing')
      assert.ok(path.split('/').every((name) => name !== '' && name !== '.' && name !== '..'))
      assert.doesNotMatch(path, /[\p{Cc}\\]|^[A-Za-z]:|^\//u)
      const segments = path.split('/').map(encodeURIComponent)
      assert.equal(new URL(segments.join('/'), 'http://site.test/').pathname, `/${segments.join('/')}`)
    }),
  )
})

test('ordinary names in any script are accepted', () => {
  fc.assert(fc.property(goodPath, (path) => assert.equal(sitePathProblem(path), undefined)))
  const names = ['index.html', 'a b/c+d.txt', '100%.txt', 'a?b#c', '.well-known/x.txt', 'c/d:e', '動物/猫.png']
  for (const path of names) assert.equal(parseSitePath(path), path)
})

test('a path that is too long for a line is cut between characters', () => {
  assert.equal(quotedPath(`a${'🐕'.repeat(200)}b`), `"a${'🐕'.repeat(99)}…${'🐕'.repeat(49)}b"`)
  assert.equal(quotedPath('🐕'.repeat(200)), `"${'🐕'.repeat(100)}…${'🐕'.repeat(50)}"`)
  assert.equal(quotedPath('🐕'.repeat(160)), `"${'🐕'.repeat(160)}"`)
})

test('every refusal names the path in one printable line and says what to do', () => {
  fc.assert(
    fc.property(anyPath, (raw) => {
      const problem = sitePathProblem(raw)
      if (problem === undefined) return
      assert.throws(
        () => parseSitePath(raw),
        (error) => {
          assert.ok(error instanceof PetstoreError)
          assert.ok(error.message.includes(quotedPath(raw)))
          assert.doesNotMatch(error.message, /[\p{Cc}\u202A-\u202E]/u)
          assert.match(error.message, /\.$/)
          return true
        },
      )
    }),
  )
})

test('a drive letter that only appears by composing is refused', () => {
  assert.match(sitePathProblem('\u212A:/x') ?? '', /drive letter/)
})

test('lengths are counted in bytes', () => {
  assert.equal(sitePathProblem('é'.repeat(127)), undefined)
  assert.match(sitePathProblem('é'.repeat(128)) ?? '', /255 bytes/)
  assert.equal(sitePathProblem(Array(512).fill('a').join('/')), undefined)
  assert.match(sitePathProblem(Array(513).fill('a').join('/')) ?? '', /1024 bytes/)
})

test('nothing lives where certificates are proven, in any case', () => {
  for (const path of ['.well-known/acme-challenge', '.well-known/acme-challenge/x', '.Well-Known/ACME-challenge/x/y']) {
    assert.match(sitePathProblem(path) ?? '', /certificates/)
  }
  assert.equal(sitePathProblem('.well-known/acme-challenges'), undefined)
  assert.equal(sitePathProblem('sub/.well-known/acme-challenge/x'), undefined)
})

test('neighbours are enough: the fast search finds a collision exactly when comparing all pairs does', () => {
  const name = fc.constantFrom('a', 'A', 'b', 'ab', 'a!', 'ß', 'SS', 'ẞ', 'é', 'e\u0301', 'İ', 'i\u0307')
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))
  const lists = fc.array(path, { maxLength: 8 })
  fc.assert(fc.property(lists, (list) => assert.equal(findCollision(list) !== undefined, collidesByPairs(list))))
})

test('a folder may be named often and may hold files, yet is no file', () => {
  assert.equal(findCollision(['a/', 'A/', 'a/b', 'ab']), undefined)
  assert.deepEqual(findCollision(['a/', 'A']), ['A', 'a/'])
  assert.throws(() => refuseCollisions(['x', 'x']), /"x" is there twice/)
})

function collidesByPairs(paths: string[]): boolean {
  const folded = paths.map((path) => path.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC'))
  return folded.some((one, i) => folded.some((other, k) => i !== k && (one === other || other.startsWith(`${one}/`))))
}
