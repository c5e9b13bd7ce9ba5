import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/id.ts'
import { readTrialLabel, trialLabel } from './trial-link.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const ENDS_AT = NOW + 60_000

test('a link to try a domain is one DNS label, bound to the domain and over at its end', () => {
  const id = newId('dom')
  const label = trialLabel('secret', id, ENDS_AT)
  assert.match(label, /^[a-z0-9-]{1,63}$/)
  assert.deepEqual(readTrialLabel('secret', label, NOW), { domainId: id, endsAt: ENDS_AT })
  assert.equal(readTrialLabel('secret', label, ENDS_AT), undefined)
  assert.equal(readTrialLabel('other', label, NOW), undefined)
  assert.equal(readTrialLabel('secret', 'preview-0123', NOW), undefined)
})

test('no character of it can be changed', () => {
  const label = trialLabel('secret', newId('dom'), ENDS_AT)
  for (let at = 4; at < label.length; at++) {
    const altered = label.slice(0, at) + (label[at] === '0' ? '1' : '0') + label.slice(at + 1)
    assert.equal(readTrialLabel('secret', altered, NOW), undefined, String(at))
  }
})
