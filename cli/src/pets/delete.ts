import { defineCommand } from '../line/command.ts'
import { json } from '../line/options.ts'
import { animalsOptions, integerArgument, openAnimals } from '../remote/animals.ts'

export const command = defineCommand({
  about: 'Deletes an animal, unless an order holds it. Its number is never given again.',
  arguments: [{ name: 'ID', help: 'the animal' }],
  options: { ...animalsOptions, json },
  examples: ['petstore pets delete 12', 'petstore pets delete 12 --project kennel --environment staging'],
  async run({ values, arguments: [id], terminal }) {
    const petId = integerArgument('ID', id)
    await (await openAnimals(values)).pets.delete(petId)
    if (values.json) return terminal.printJson({ id: petId })
    terminal.print(`Animal ${id} is deleted.`)
  },
})
