import { PET_STATUSES } from '../../features/pets/status.ts'
import { columns } from '../line/columns.ts'
import { defineCommand, UsageError } from '../line/command.ts'
import { connect, integerArgument, interfaceOptions } from '../remote/interface.ts'
import { json } from '../line/options.ts'
import { PET_COLUMNS, petRow } from './text.ts'

export const command = defineCommand({
  about: 'Changes the name, the category or the status of an animal.',
  arguments: [{ name: 'ID', help: 'the animal' }],
  options: {
    name: { type: 'string', value: 'NAME', help: 'its new name' },
    category: { type: 'string', value: 'ID', help: 'its new category' },
    status: { type: 'string', choices: PET_STATUSES, help: 'its new status' },
    ...interfaceOptions,
    json,
  },
  examples: ['petstore pets update 12 --status sold', 'petstore pets update 12 --name Max --category 3'],
  async run({ values, arguments: [id], terminal }) {
    const { name, category, status } = values
    if (name === undefined && category === undefined && status === undefined) {
      throw new UsageError('Say what to change: --name, --category or --status.')
    }
    const pet = await connect(values).pets.update(integerArgument('ID', id), {
      ...(name !== undefined && { name }),
      ...(category !== undefined && { categoryId: integerArgument('--category', category) }),
      ...(status !== undefined && { status }),
    })
    if (values.json) return terminal.printJson(pet)
    terminal.print(columns([PET_COLUMNS, petRow(pet)]))
  },
})
