import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Order } from '../src/features/orders/contract.ts'
import { NewPet, Pet } from '../src/features/pets/contract.ts'

const dashboard = new URL('../dashboard/src/features', import.meta.url).pathname

/** Optional fields can be left out of a screen without a type error: here at least their names must stand. */
test('every field of an animal and of an order has a place in the dashboard', () => {
  assert.deepEqual(
    missing(
      Pet.properties,
      source('pets', (file) => file !== 'pet-form.tsx'),
    ),
    [],
  )
  assert.deepEqual(
    missing(
      NewPet.properties,
      source('pets', (file) => file === 'pet-form.tsx'),
    ),
    [],
  )
  assert.deepEqual(
    missing(
      Order.properties,
      source('orders', () => true),
    ),
    [],
  )
})

function source(feature: string, isMeant: (file: string) => boolean): string {
  const files = readdirSync(join(dashboard, feature)).filter(isMeant)
  return files.map((file) => readFileSync(join(dashboard, feature, file), 'utf8')).join('\n')
}

const missing = (properties: object, text: string) =>
  Object.keys(properties).filter((name) => !new RegExp(`\\b${name}\\b`).test(text))
