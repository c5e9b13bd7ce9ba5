import { defineCommand } from '../line/command.ts'
import { connect, integerArgument, interfaceOptions } from '../remote/interface.ts'

export const command = defineCommand({
  about: 'Deletes an animal, unless an order holds it. Its number is never given again.',
  arguments: [{ name: 'ID', help: 'the animal' }],
  options: interfaceOptions,
  examples: ['petstore pets delete 12'],
  async run({ values, arguments: [id], terminal }) {
    await connect(values).pets.delete(integerArgument('ID', id))
    terminal.print(`Animal ${id} is deleted.`)
  },
})
