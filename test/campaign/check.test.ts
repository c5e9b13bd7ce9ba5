import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Animal } from '../faults/writers.ts'
import { judge, type Order } from './check.ts'
import { emptyHistory, type Hold } from './history.ts'

const animal = (id: bigint, name: string, status = 'available'): Animal => ({ id, name, categoryId: 1n, status })
const atLast = (...animals: Animal[]) => new Map([['production', { animals, orders: [] as Order[] }]])
const tenant = 'production'

function history() {
  const made = emptyHistory(1)
  made.creates.push({ tenant, name: 'Rex', id: 1n, refused: false, start: 0, end: 1 })
  return made
}

test('a history in which everything is as it was acknowledged is held', () => {
  const { violations, lost, twice } = judge(history(), atLast(animal(1n, 'Rex')))
  assert.deepEqual({ violations, lost, twice }, { violations: [], lost: 0, twice: 0 })
})

test('an acknowledged animal that is gone is lost', () => {
  assert.equal(judge(history(), atLast()).lost, 1)
})

test('an animal that is there twice, or by itself, is found', () => {
  assert.equal(judge(history(), atLast(animal(1n, 'Rex'), animal(2n, 'Rex'))).twice, 1)
  assert.match(judge(history(), atLast(animal(1n, 'Rex'), animal(2n, 'Odo'))).violations.join(), /by itself/)
})

test('what was refused and is there all the same is found', () => {
  const made = history()
  made.creates.push({ tenant, name: 'Odo', id: undefined, refused: true, start: 2, end: Infinity })
  assert.match(judge(made, atLast(animal(1n, 'Rex'), animal(2n, 'Odo'))).violations.join(), /was refused/)
})

test('a name that falls back to an older one is found', () => {
  const made = history()
  made.renames.push({ tenant, petId: 1n, name: 'Max', refused: false, start: 2, end: 3 })
  assert.match(judge(made, atLast(animal(1n, 'Rex'))).violations.join(), /"Max" came and went/)
})

test('an animal that two orders hold, or that is not held although it was ordered, is found', () => {
  const hold = (orderId: bigint, start: number, end: number): Hold => ({
    tenant,
    petId: 1n,
    orderId,
    placed: { start, end },
    ended: undefined,
  })
  const both = history()
  both.holds.push(hold(1n, 2, 3), hold(2n, 4, 5))
  assert.match(judge(both, atLast(animal(1n, 'Rex', 'pending'))).violations.join(), /another one at once/)
  const free = history()
  free.holds.push(hold(1n, 2, 3))
  free.sights.push({ tenant, petId: 1n, name: 'Rex', status: 'available', start: 4, end: 5 })
  assert.match(judge(free, atLast(animal(1n, 'Rex', 'pending'))).violations.join(), /shown available/)
})

test('how long a revoked key was accepted is told, and a key that is refused too early is found', () => {
  const made = history()
  made.revocations.set(0, { start: 10, end: 20 })
  made.keyUses.push({ key: 0, accepted: true, start: 70, end: 80 }, { key: 0, accepted: false, start: 5, end: 6 })
  const { revokedYetAcceptedMs, violations } = judge(made, atLast(animal(1n, 'Rex')))
  assert.equal(revokedYetAcceptedMs, 50)
  assert.match(violations.join(), /refused before it was revoked/)
})

test('an order that is gone, open again, or placed once more than anybody asked for is found', () => {
  const placed = { tenant, petId: 1n, orderId: 7n, placed: { start: 2, end: 3 } }
  const made = history()
  made.holds.push({ ...placed, ended: { status: 'cancelled', start: 4, end: 5 } })
  const judged = (...orders: Order[]) =>
    judge(made, new Map([['production', { animals: [animal(1n, 'Rex')], orders }]])).violations.join()
  const order = (id: bigint, status: string): Order => ({ id, petId: 1n, status })
  assert.equal(judged(order(7n, 'cancelled')), '')
  assert.match(judged(), /order 7 was acknowledged and is gone/)
  assert.match(judged(order(7n, 'placed')), /order 7 was ended and is placed/)
  assert.match(judged(order(7n, 'cancelled'), order(8n, 'placed')), /ordered once more than anybody asked for/)
  made.unansweredOrders.push({ tenant, petId: 1n })
  assert.equal(judged(order(7n, 'cancelled'), order(8n, 'placed')), '')
})
