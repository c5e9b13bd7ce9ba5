import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowedFrom, mayBecome, PET_STATUSES } from './status.ts'

test('a status moves along its arrows only, and staying is no change', () => {
  const allowed = PET_STATUSES.flatMap((from) =>
    PET_STATUSES.filter((to) => mayBecome(from, to)).map((to) => `${from} → ${to}`),
  )
  assert.deepEqual(allowed.sort(), [
    'available → available',
    'available → pending',
    'available → sold',
    'pending → available',
    'pending → pending',
    'pending → sold',
    'sold → available',
    'sold → sold',
  ])
  assert.deepEqual(allowedFrom('sold'), ['available'])
})
