import type { NewOrder } from '../../../client/src/client.ts'
import { defineCommand } from '../line/command.ts'
import { presentFields } from '../line/fields.ts'
import { animalsOptions, integerArgument, openAnimals } from '../remote/animals.ts'
import { json } from '../line/options.ts'
import { orderTable } from './fields.ts'

export const command = defineCommand({
  about: 'Orders an available animal: it is pending until the order is completed or cancelled.',
  arguments: [{ name: 'ANIMAL', help: 'the id of the animal' }],
  options: { ...animalsOptions, json },
  examples: ['petstore orders place 12'],
  async run({ values, arguments: [animal], terminal }) {
    const wanted = presentFields<NewOrder>({ petId: integerArgument('ANIMAL', animal) })
    const order = await (await openAnimals(values)).orders.create(wanted)
    if (values.json) return terminal.printJson(order)
    terminal.print(orderTable([order]))
  },
})
