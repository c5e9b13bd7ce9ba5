import type { NewPet } from '../../../client/src/client.ts'
import { defineCommand } from '../line/command.ts'
import { connect, interfaceOptions } from '../remote/interface.ts'
import { json } from '../line/options.ts'
import { newPetOptions, petTable, readPetOptions } from './fields.ts'

export const command = defineCommand({
  about: 'Adds an animal. It is sent again when the answer is lost, and added once.',
  arguments: [{ name: 'NAME', help: "the animal's name" }],
  options: {
    ...newPetOptions,
    ...interfaceOptions,
    json,
  },
  examples: [
    'petstore pets add Rex --category 1',
    'petstore pets add "Lady Blue" --category 7 --status pending --json',
  ],
  async run({ values, arguments: [name], terminal }) {
    const pet = await connect(values).pets.create(readPetOptions({ ...values, name }) as NewPet)
    if (values.json) return terminal.printJson(pet)
    terminal.print(petTable([pet]))
  },
})
