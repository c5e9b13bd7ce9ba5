import { defineCommand } from '../line/command.ts'
import { connect, integerArgument, interfaceOptions } from '../remote/interface.ts'
import { json } from '../line/options.ts'
import { orderTable } from './fields.ts'

export const command = defineCommand({
  about: 'Ends an order: completed makes its animal sold, cancelled makes it available again.',
  arguments: [{ name: 'ID', help: 'the order' }],
  options: {
    as: { type: 'string', choices: ['completed', 'cancelled'], required: true, help: 'how it ends' },
    ...interfaceOptions,
    json,
  },
  examples: ['petstore orders end 3 --as completed'],
  async run({ values, arguments: [id], terminal }) {
    const order = await connect(values).orders.update(integerArgument('ID', id), { status: values.as })
    if (values.json) return terminal.printJson(order)
    terminal.print(orderTable([order]))
  },
})
