import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import { namesUpToTop } from '../../../platform/dns/name.ts'
import type { CaaData } from '../../../platform/dns/record.ts'
import { type CaaLookup, type CaaQuestion, evaluateCaa, readIssueValue } from './caa.ts'

const ACCOUNT = 'https://ca.example/acct/1'
const question = (changes: Partial<CaaQuestion> = {}): CaaQuestion => ({
  hostname: 'www.shop.example.com',
  wildcard: false,
  issuerDomains: ['ca.example', 'ca.example.net'],
  accountUri: ACCOUNT,
  methods: ['http-01', 'tls-alpn-01'],
  ...changes,
})
const record = (tag: string, value: string, flags = 0): CaaData => ({ flags, tag, value })
const sets =
  (known: Record<string, CaaData[] | CaaLookup>) =>
  (name: string): CaaLookup => {
    const found = known[name]
    if (found === undefined) return { outcome: 'none' }
    return Array.isArray(found) ? { outcome: 'found', records: found, owner: name } : found
  }

const at = (records: CaaData[], changes: Partial<CaaQuestion> = {}) => {
  const verdict = evaluateCaa(question(changes), sets({ 'example.com': records }))
  return verdict.allowed ? 'allowed' : verdict.reason
}
const narrowed = (value: string) => {
  const verdict = evaluateCaa(question(), sets({ 'example.com': [record('issue', value)] }))
  return verdict.allowed ? verdict.methods.join() : verdict.reason
}

test('no record anywhere allows', () => {
  const verdict = evaluateCaa(question(), sets({}))
  assert.deepEqual(verdict, { allowed: true, decidedAt: null, methods: ['http-01', 'tls-alpn-01'] })
})

test('the closest set decides, whatever stands above it', () => {
  const above = { 'example.com': [record('issue', ';')] }
  const near = evaluateCaa(question(), sets({ ...above, 'shop.example.com': [record('issue', 'ca.example')] }))
  assert.equal(near.allowed && near.decidedAt, 'shop.example.com')
  const denied = evaluateCaa(question(), sets(above))
  assert.ok(!denied.allowed)
  assert.deepEqual([denied.reason, denied.decidedAt], ['issuance_forbidden', 'example.com'])
  assert.deepEqual(denied.add, { name: 'example.com', tag: 'issue', value: 'ca.example' })
})

test('the top level domain counts, the root does not', () => {
  const denied = evaluateCaa(question(), sets({ com: [record('issue', 'other.example')] }))
  assert.equal(denied.decidedAt, 'com')
})

test('a look-up that fails before a set is found denies, after it no longer matters', () => {
  const failed: CaaLookup = { outcome: 'failed', reason: 'SERVFAIL', owner: 'shop.example.com' }
  const fine = [record('issue', 'ca.example')]
  const before = evaluateCaa(question(), sets({ 'shop.example.com': failed, 'example.com': fine }))
  assert.ok(!before.allowed)
  assert.deepEqual([before.reason, before.decidedAt], ['lookup_failed', 'shop.example.com'])
  const after = evaluateCaa(question(), sets({ 'shop.example.com': fine, 'example.com': failed }))
  assert.equal(after.allowed, true)
})

test('issue, issuewild, iodef and unknown tags each mean what the RFC says', () => {
  assert.equal(at([record('iodef', 'mailto:a@b.c')]), 'allowed', 'a set without issue restricts nothing')
  assert.equal(at([record('issuewild', ';')]), 'allowed', 'issuewild says nothing about plain names')
  assert.equal(at([record('issuewild', ';')], { wildcard: true }), 'issuance_forbidden')
  assert.equal(at([record('issue', ';'), record('issuewild', 'ca.example')], { wildcard: true }), 'allowed')
  assert.equal(at([record('issue', 'ca.example')], { wildcard: true }), 'allowed')
  assert.equal(at([record('issue', ';'), record('issue', 'CA.Example')]), 'allowed')
  assert.equal(at([record('ISSUE', 'other.example')]), 'issuer_not_listed')
  assert.equal(at([record('tbs', 'x')]), 'allowed', 'an unknown tag that is not critical is ignored')
  assert.equal(at([record('tbs', 'x', 128), record('issue', 'ca.example')]), 'critical_unknown')
  assert.equal(at([record('issue', 'ca.example', 128)]), 'allowed', 'a known tag may be critical')
  assert.equal(at([record('issue', '%%%')]), 'issuance_forbidden', 'an unreadable value forbids')
})

test('accounturi and validationmethods narrow down who and how', () => {
  assert.equal(narrowed(`ca.example; accounturi=${ACCOUNT}`), 'http-01,tls-alpn-01')
  assert.equal(narrowed('ca.example; accounturi=https://ca.example/acct/2'), 'account_differs')
  assert.equal(narrowed(`ca.example; accounturi=${ACCOUNT}; accounturi=${ACCOUNT}`), 'account_differs')
  assert.equal(narrowed('ca.example; validationmethods=tls-alpn-01'), 'tls-alpn-01')
  assert.equal(narrowed('ca.example; validationmethods=dns-01,http-01'), 'http-01')
  assert.equal(narrowed('ca.example; validationmethods=dns-01'), 'method_differs')
  assert.equal(narrowed('ca.example; policy=ev'), 'http-01,tls-alpn-01')
})

test('issue values are read as the grammar has them', () => {
  assert.equal(readIssueValue(' CA.Example ; a=b ').issuer, 'ca.example')
  assert.equal(readIssueValue('ca.example;').issuer, 'ca.example')
  for (const empty of ['', ' ', ';', ' ; ', ';a=b']) assert.equal(readIssueValue(empty).issuer, '', empty)
  const parameters = ['ca.example; a', 'ca.example; a b=c', 'ca.example; a=b c', 'ca.example;;a=b']
  for (const bad of ['ca example', '-ca.example', 'ca..example', ...parameters]) {
    assert.equal(readIssueValue(bad).issuer, '', bad)
  }
})

const caaRecord = fc.record({
  flags: fc.constantFrom(0, 128),
  tag: fc.constantFrom('issue', 'issuewild', 'iodef', 'ISSUE', 'future'),
  value: fc.constantFrom(
    'ca.example',
    'other.example',
    ';',
    '',
    'ca.example; validationmethods=dns-01',
    'ca.example; accounturi=x',
    '@@',
  ),
})
const lookup: fc.Arbitrary<CaaLookup> = fc.oneof(
  fc.constant({ outcome: 'none' } as const),
  fc.constant({ outcome: 'failed', reason: 'timeout', owner: 'x.example' } as const),
  fc.array(caaRecord, { maxLength: 4 }).map((records) => ({ outcome: 'found', records, owner: 'x.example' }) as const),
)
const trees = fc.array(lookup, { minLength: 4, maxLength: 4 })

test('only the hostname and its own parents are ever asked, and nothing above the deciding set matters', () => {
  fc.assert(
    fc.property(trees, trees, fc.boolean(), (tree, other, wildcard) => {
      const names = namesUpToTop('www.shop.example.com')
      const asked: string[] = []
      const lookUp = (name: string) => {
        asked.push(name)
        return tree[names.indexOf(name)]!
      }
      const verdict = evaluateCaa(question({ wildcard }), lookUp)
      assert.deepEqual(asked, names.slice(0, asked.length))
      if (verdict.decidedAt !== null) assert.equal(verdict.decidedAt, asked.at(-1))
      const changedAbove = (name: string) => (names.indexOf(name) < asked.length ? tree : other)[names.indexOf(name)]!
      assert.deepEqual(evaluateCaa(question({ wildcard }), changedAbove), verdict)
    }),
  )
})

test('adding the proposed record is always enough', () => {
  fc.assert(
    fc.property(fc.array(caaRecord, { minLength: 1, maxLength: 5 }), fc.boolean(), (records, wildcard) => {
      const verdict = evaluateCaa(question({ wildcard }), sets({ 'example.com': records }))
      if (verdict.allowed || verdict.add === null) return
      const fixed = [...records, record(verdict.add.tag, verdict.add.value)]
      assert.equal(evaluateCaa(question({ wildcard }), sets({ [verdict.add.name]: fixed })).allowed, true)
    }),
  )
})
