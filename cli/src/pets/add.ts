import type { NewPet } from '../../../client/src/client.ts'
import { defineCommand } from '../line/command.ts'
import { animalsOptions, openAnimals } from '../remote/animals.ts'
import { json } from '../line/options.ts'
import { newPetOptions, petTable, readPetOptions } from './fields.ts'

export const command = defineCommand({
  about: `Adds an animal. With an API key it is sent again when the answer is lost, and added once. Without a key it is
not sent again: the command says that it may be added already, and the exit code is 1.`,
  arguments: [{ name: 'NAME', help: "the animal's name" }],
  options: {
    ...newPetOptions,
    ...animalsOptions,
    json,
  },
  examples: [
    'petstore pets add Rex --category 1',
    'petstore pets add "Lady Blue" --category 7 --status pending --json',
  ],
  async run({ values, arguments: [name], terminal }) {
    const wanted = readPetOptions({ ...values, name }) as NewPet
    const pet = await (await openAnimals(values)).pets.create(wanted)
    if (values.json) return terminal.printJson(pet)
    terminal.print(petTable([pet]))
  },
})
