import { listed } from '../../platform/schema.ts'
import { defineCommand, UsageError } from '../line/command.ts'
import { connect, integerArgument, interfaceOptions } from '../remote/interface.ts'
import { json } from '../line/options.ts'
import { petOptions, petTable, readPetOptions } from './fields.ts'

const choice = (prefix: string) =>
  listed(
    Object.keys(petOptions).map((name) => prefix + name),
    'or',
  )

export const command = defineCommand({
  about: `Changes ${choice('the ')} of an animal.`,
  arguments: [{ name: 'ID', help: 'the animal' }],
  options: {
    ...petOptions,
    ...interfaceOptions,
    json,
  },
  examples: ['petstore pets update 12 --status sold', 'petstore pets update 12 --name Max --category 3'],
  async run({ values, arguments: [id], terminal }) {
    const patch = readPetOptions(values)
    if (Object.keys(patch).length === 0) throw new UsageError(`Say what to change: ${choice('--')}.`)
    const pet = await connect(values).pets.update(integerArgument('ID', id), patch)
    if (values.json) return terminal.printJson(pet)
    terminal.print(petTable([pet]))
  },
})
