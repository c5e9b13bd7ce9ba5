import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEPLOYS_KEPT, forgottenFor, type KeptDeploy } from './history.ts'

const HALF = DEPLOYS_KEPT / 2

/** In the order in which they were made; those that were shown, in the order of their times. */
const history = (...shownAt: (number | null | 'now')[]): KeptDeploy[] =>
  shownAt.map((at, seq) => ({
    id: `${at === null ? 'preview' : 'seen'} ${seq}`,
    seq,
    activated_at: at === 'now' ? 1 : null,
    shown_at: at === 'now' ? 1 : at,
  }))

const previews = (count: number) => Array<null>(count).fill(null)
const seen = (count: number) => Array.from({ length: count }, (_, at) => 100 + at)

test('nothing is forgotten while there is room', () => {
  assert.deepEqual(forgottenFor(false, history('now', ...previews(DEPLOYS_KEPT - 2))), [])
  assert.deepEqual(forgottenFor(true, history('now', ...seen(DEPLOYS_KEPT - 2))), [])
})

test('previews make room for previews first, and what visitors have seen for what they see', () => {
  assert.deepEqual(forgottenFor(false, history('now', ...previews(DEPLOYS_KEPT - 1))), ['preview 1'])
  assert.deepEqual(forgottenFor(true, history('now', ...seen(DEPLOYS_KEPT - 1))), ['seen 1'])
  assert.deepEqual(forgottenFor(true, history(...seen(HALF - 1), 'now', ...previews(HALF))), ['seen 0'])
  assert.deepEqual(forgottenFor(false, history(...seen(HALF - 1), 'now', ...previews(HALF))), [`preview ${HALF}`])
})

test('a preview finds room beside a history of published deploys, and more than one does', () => {
  assert.deepEqual(forgottenFor(false, history(...seen(DEPLOYS_KEPT - 1), 'now')), ['seen 0'])
  assert.deepEqual(forgottenFor(false, history(...seen(HALF), 'now', ...previews(HALF - 1))), ['seen 0'])
})

test('an old deploy that was shown again lately outlives younger ones, and the one that is shown all', () => {
  const shownAgain = [5000, ...seen(DEPLOYS_KEPT - 2), 'now'] as const
  assert.deepEqual(forgottenFor(true, history(...shownAgain)), ['seen 1'])
  assert.deepEqual(forgottenFor(true, history('now', ...seen(DEPLOYS_KEPT + 1))), ['seen 1', 'seen 2', 'seen 3'])
})
