import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/harness/any-character.ts'
import { encodedEtag, etagOf, matchingEtag } from './etag.ts'

test('a validator changes with any change of the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (one, other) => {
      assert.equal(etagOf(one) === etagOf(other), one === other)
    }),
  )
  const page = '{"id":1,"name":"Rex"}'.repeat(50)
  const changed = new Set(Array.from(page, (_, at) => etagOf(`${page.slice(0, at)}!${page.slice(at + 1)}`)))
  assert.equal(changed.size, page.length)
  const long = 'Rex'.repeat(10_000)
  assert.equal(new Set([long, `!${long.slice(1)}`, `${long.slice(0, -1)}!`, `${long}!`].map(etagOf)).size, 4)
})

test('the tag of any encoding stands for the content, and is said back as it was given', () => {
  const etag = etagOf('x'.repeat(423))
  for (const tag of [etag, encodedEtag(etag, 'br'), encodedEtag(etag, 'gzip')]) {
    for (const given of [tag, `W/${tag}`, `"other", ${tag}`]) assert.equal(matchingEtag(given, etag), tag)
  }
  assert.equal(matchingEtag('*', etag), etag)
  for (const given of [undefined, '', '"other"', etag.slice(1), encodedEtag(etag, 'zstd')])
    assert.equal(matchingEtag(given, etag), undefined)
})
