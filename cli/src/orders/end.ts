import { defineCommand } from '../line/command.ts'
import { animalsOptions, integerArgument, openAnimals } from '../remote/animals.ts'
import { json } from '../line/options.ts'
import { orderTable } from './fields.ts'

export const command = defineCommand({
  about: 'Ends an order: completed makes its animal sold, cancelled makes it available again.',
  arguments: [{ name: 'ID', help: 'the order' }],
  options: {
    as: { type: 'string', choices: ['completed', 'cancelled'], required: true, help: 'how it ends' },
    ...animalsOptions,
    json,
  },
  examples: ['petstore orders end 3 --as completed'],
  async run({ values, arguments: [id], terminal }) {
    const orderId = integerArgument('ID', id)
    const order = await (await openAnimals(values)).orders.update(orderId, { status: values.as })
    if (values.json) return terminal.printJson(order)
    terminal.print(orderTable([order]))
  },
})
