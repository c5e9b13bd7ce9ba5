import { ORDER_STATUSES } from '../../features/orders/status.ts'
import { defineCommand } from '../line/command.ts'
import { connect, interfaceOptions, limitOf, take } from '../remote/interface.ts'
import { json } from '../line/options.ts'
import { orderTable } from './fields.ts'

export const command = defineCommand({
  about: 'Lists orders, oldest first.',
  arguments: [],
  options: {
    status: { type: 'string', choices: ORDER_STATUSES, help: 'only orders of this status' },
    limit: { type: 'string', value: 'COUNT', help: 'how many at the most (20)' },
    ...interfaceOptions,
    json,
  },
  examples: ['petstore orders list --status placed'],
  async run({ values, terminal }) {
    const limit = limitOf(values.limit)
    const petstore = connect(values)
    const orders = await take(petstore.orders.list({ status: values.status, limit: Math.min(limit, 100) }), limit)
    if (values.json) return terminal.printJson(orders)
    if (orders.length === 0)
      return terminal.print('There are no such orders. Place one with: petstore orders place ANIMAL')
    terminal.print(orderTable(orders))
  },
})
