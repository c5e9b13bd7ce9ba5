import { ORDER_ORDERS, ORDER_STATUSES } from '../line/choices.ts'
import { defineCommand } from '../line/command.ts'
import { animalsOptions, limitOf, openAnimals, take } from '../remote/animals.ts'
import { json } from '../line/options.ts'
import { orderTable } from './fields.ts'
import { nextCommand } from '../remote/server.ts'

export const command = defineCommand({
  about: 'Lists orders.',
  arguments: [],
  options: {
    status: { type: 'string', choices: ORDER_STATUSES, help: 'only orders of this status' },
    order: { type: 'string', choices: ORDER_ORDERS, help: 'which end comes first (oldest)' },
    limit: { type: 'string', value: 'COUNT', help: 'how many at the most (20)' },
    ...animalsOptions,
    json,
  },
  examples: ['petstore orders list --status placed', 'petstore orders list --order newest --limit 5'],
  async run({ values, terminal }) {
    const limit = limitOf(values.limit)
    const { status, order } = values
    const orders = await take(
      (await openAnimals(values)).orders.list({ status, order, limit: Math.min(limit, 100) }),
      limit,
    )
    if (values.json) return terminal.printJson(orders)
    if (orders.length === 0)
      return terminal.print(`There are no such orders. Place one with: ${nextCommand(values, 'orders place ANIMAL')}`)
    terminal.print(orderTable(orders))
  },
})
