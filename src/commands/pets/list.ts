import { PET_STATUSES } from '../../features/pets/status.ts'
import { defineCommand } from '../line/command.ts'
import { connect, interfaceOptions, limitOf, take } from '../remote/interface.ts'
import { json } from '../line/options.ts'
import { petTable } from './fields.ts'

export const command = defineCommand({
  about: 'Lists animals, oldest first, page after page until there are as many as you asked for.',
  arguments: [],
  options: {
    status: { type: 'string', choices: PET_STATUSES, help: 'only animals of this status' },
    limit: { type: 'string', value: 'COUNT', help: 'how many at the most (20)' },
    ...interfaceOptions,
    json,
  },
  examples: ['petstore pets list --status available', 'petstore pets list --limit 1000 --json | jq length'],
  async run({ values, terminal }) {
    const limit = limitOf(values.limit)
    const petstore = connect(values)
    const pets = await take(petstore.pets.list({ status: values.status, limit: Math.min(limit, 100) }), limit)
    if (values.json) return terminal.printJson(pets)
    if (pets.length === 0)
      return terminal.print('There are no such animals. Add one with: petstore pets add NAME --category ID')
    terminal.print(petTable(pets))
  },
})
