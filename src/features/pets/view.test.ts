import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { petJson, petsJson } from './view.ts'

test('the hand-written JSON is what JSON.stringify would write, with integers exact', () => {
  const row = fc.record({
    id: fc.integer(),
    name: fc.string({ unit: 'binary' }),
    category_id: fc.integer(),
    status: fc.constantFrom('available' as const, 'sold' as const),
  })
  const shown = ({
    id,
    name,
    category_id,
    status,
  }: {
    id: number
    name: string
    category_id: number
    status: string
  }) => ({
    id,
    name,
    categoryId: category_id,
    status,
  })
  fc.assert(fc.property(row, (pet) => petJson(pet) === JSON.stringify(shown(pet))))
  fc.assert(fc.property(fc.array(row, { maxLength: 5 }), (pets) => petsJson(pets) === JSON.stringify(pets.map(shown))))
  const largest = { id: 2n ** 63n - 1n, name: 'x', category_id: -(2n ** 63n), status: 'sold' as const }
  assert.equal(
    petJson(largest),
    '{"id":9223372036854775807,"name":"x","categoryId":-9223372036854775808,"status":"sold"}',
  )
})
