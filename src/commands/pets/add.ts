import { PET_STATUSES } from '../../features/pets/status.ts'
import { columns } from '../line/columns.ts'
import { defineCommand } from '../line/command.ts'
import { connect, integerArgument, interfaceOptions } from '../remote/interface.ts'
import { json } from '../line/options.ts'
import { PET_COLUMNS, petRow } from './text.ts'

export const command = defineCommand({
  about: 'Adds an animal. It is sent again when the answer is lost, and added once.',
  arguments: [{ name: 'NAME', help: "the animal's name" }],
  options: {
    category: { type: 'string', value: 'ID', required: true, help: 'the category it belongs to' },
    status: { type: 'string', choices: PET_STATUSES, help: 'its status (available)' },
    ...interfaceOptions,
    json,
  },
  examples: [
    'petstore pets add Rex --category 1',
    'petstore pets add "Lady Blue" --category 7 --status pending --json',
  ],
  async run({ values, arguments: [name], terminal }) {
    const categoryId = integerArgument('--category', values.category)
    const { status } = values
    const pet = await connect(values).pets.create({ name, categoryId, ...(status && { status }) })
    if (values.json) return terminal.printJson(pet)
    terminal.print(columns([PET_COLUMNS, petRow(pet)]))
  },
})
