import { inWords } from '../line/choices.ts'
import { defineCommand, UsageError } from '../line/command.ts'
import { animalsOptions, integerArgument, openAnimals } from '../remote/animals.ts'
import { json } from '../line/options.ts'
import { petOptions, petTable, readPetOptions } from './fields.ts'

const choice = (prefix: string) => inWords(Object.keys(petOptions).map((name) => prefix + name))

export const command = defineCommand({
  about: `Changes ${choice('the ')} of an animal.`,
  arguments: [{ name: 'ID', help: 'the animal' }],
  options: {
    ...petOptions,
    ...animalsOptions,
    json,
  },
  examples: ['petstore pets update 12 --status sold', 'petstore pets update 12 --name Max --category 3'],
  async run({ values, arguments: [id], terminal }) {
    const patch = readPetOptions(values)
    if (Object.keys(patch).length === 0) throw new UsageError(`Say what to change: ${choice('--')}.`)
    const petId = integerArgument('ID', id)
    const pet = await (await openAnimals(values)).pets.update(petId, patch)
    if (values.json) return terminal.printJson(pet)
    terminal.print(petTable([pet]))
  },
})
