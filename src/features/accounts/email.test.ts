import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEmail, spellingsOf } from './email.ts'

test('an address has one spelling, however it was typed', () => {
  const typed = [
    ' V@Example.ORG ',
    'v@example.org.',
    'v@example。org',
    'v@ｅxample.org',
    'v@exa\u034F\uFE0Fmple.org',
    'v@ⓔⓧample．org',
  ]
  for (const text of typed) assert.equal(parseEmail(text), 'v@example.org', text)
})

test('a domain in letters and as DNS writes it is one address', () => {
  const spellings = {
    'v@faß.de': 'v@XN--FA-hia.de',
    'почта@пример.рф': 'почта@xn--e1afmkfd.xn--p1ai',
    'v@نامه\u200cای.com': 'v@xn--mgba3gch31f060k.com',
  }
  for (const [letters, ascii] of Object.entries(spellings)) {
    for (const text of [letters, ascii]) {
      assert.equal(parseEmail(text), letters, text)
      assert.deepEqual(new Set(spellingsOf(text.toLowerCase())), new Set([letters, ascii.toLowerCase()]))
    }
  }
  for (const text of ['v@example.org', 'v@xn--a', 'v@example.org:25']) assert.deepEqual(spellingsOf(text), [text])
})

test('letters of every script stay as they are', () => {
  for (const email of [
    'jürgen@bücher.de',
    'o’brien+shop@straße.de',
    'почта@пример.рф',
    "o'b_r-1!#$%&*/=?^`{|}~@localhost",
  ])
    assert.equal(parseEmail(email), email)
})

test('what a mail program would read as a list, a group, a name or a comment is no address', () => {
  const refused = [
    '1<v@example.org>',
    '<v@example.org>',
    '(3)v@example.org',
    'v@example.org(4)',
    'v@⑷example.org',
    'x,v@example.org',
    'v@example.org,',
    'g:v@example.org;',
    'v@example.org;',
    '"v"@example.org',
    'v\\@example.org',
    'v@[127.0.0.1]',
  ]
  for (const text of refused) assert.throws(() => parseEmail(text), /is not an e-mail address/, text)
})

test('nor is what leads to no mail domain', () => {
  const refused = ['v', '@example.org', 'v@', 'v@@example.org', 'v@example..org', 'v@0x7f.1', 'v@example.org:25']
  const joined = ['v@exa\u200dmple.org', 'v\u200d@example.org']
  const decoded = ['v@%65xample.org', 'v@example.org/x', 'v@example.org?x', 'v@example.org#x', 'v@exa mple.org']
  for (const text of [...refused, ...joined, ...decoded])
    assert.throws(() => parseEmail(text), /is not an e-mail address/, text)
})
