import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { ClaimsModel, type Step } from './claims-model.ts'
import { takeOrders } from './order-taker.ts'

/** Every order of the steps in which each can be taken when its turn comes; projects are interchangeable. */
function everyOrder(steps: readonly Step[], model: Step[] = []): Step[][] {
  if (steps.length === 0) return [model]
  return [...new Set(steps)].flatMap((step) => {
    const order = [...model, step]
    if (!isPossible(order)) return []
    const at = steps.indexOf(step)
    return everyOrder(steps.toSpliced(at, 1), order)
  })
}

function isPossible(order: readonly Step[]): boolean {
  const model = new ClaimsModel()
  return order.every((step) => model.can(step) && (model.take(step), true))
}

/** With three projects that do the same, only the order in which they come matters: A before B before C. */
const inOrderOfComing = (order: readonly Step[]) =>
  order.filter((step) => step.startsWith('add')).every((step, at, adds) => at === 0 || adds[at - 1]! <= step)

const all = (...steps: Step[]) => everyOrder(steps)

const ORDERS: Record<string, Step[][]> = {
  'two projects, one with the TXT record': all('add A', 'verify A', 'add B', 'verify B', 'point', 'txt B'),
  'two projects, one that leaves': all('add A', 'verify A', 'remove A', 'add B', 'verify B', 'point'),
  'two projects, and a record that goes and comes': all(
    ...(['add A', 'verify A', 'add B', 'verify B', 'point', 'unpoint', 'point'] as const),
  ).filter(inOrderOfComing),
  'three projects': all('add A', 'verify A', 'add B', 'verify B', 'add C', 'verify C', 'point').filter(inOrderOfComing),
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`a hostname that leads here by address, on ${engine}`, () => {
    let server: PostgresDatabases | undefined
    before(async () => {
      if (engine === 'postgres') server = await openPostgres()
    })
    after(() => server?.[Symbol.asyncDispose]())

    test('goes to the claim that was alone, or to the proof, in every order of steps', async () => {
      const databaseUrl = await server?.createSchema()
      const orders = Object.values(ORDERS).flat()
      const taken = engine === 'sqlite' ? orders : orders.filter((_, index) => index % 40 === 0)
      assert.equal(await takeOrders({ databaseUrl, orders: taken }), taken.length)
    })
  })
}
