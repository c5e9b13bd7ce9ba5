import { PET_ORDERS, PET_STATUSES } from '../line/choices.ts'
import { defineCommand } from '../line/command.ts'
import { animalsOptions, integerArgument, limitOf, openAnimals, take } from '../remote/animals.ts'
import { json } from '../line/options.ts'
import { petTable } from './fields.ts'
import { nextCommand } from '../remote/server.ts'

export const command = defineCommand({
  about: 'Lists animals, page after page until there are as many as you asked for.',
  arguments: [],
  options: {
    status: { type: 'string', choices: PET_STATUSES, help: 'only animals of this status' },
    category: { type: 'string', value: 'ID', help: 'only animals of this category' },
    q: { type: 'string', value: 'TEXT', help: 'only animals whose name begins so, in the order of names' },
    order: { type: 'string', choices: PET_ORDERS, help: 'oldest or newest first, or by name (oldest)' },
    limit: { type: 'string', value: 'COUNT', help: 'how many at the most (20)' },
    ...animalsOptions,
    json,
  },
  examples: [
    'petstore pets list --status available',
    'petstore pets list --order newest --category 3',
    'petstore pets list --q rex',
    'petstore pets list --limit 1000 --json | jq length',
  ],
  async run({ values, terminal }) {
    const limit = limitOf(values.limit)
    const { status, category, q, order } = values
    const categoryId = category === undefined ? undefined : integerArgument('--category', category)
    const filter = { status, categoryId, q, order, limit: Math.min(limit, 100) }
    const pets = await take((await openAnimals(values)).pets.list(filter), limit)
    if (values.json) return terminal.printJson(pets)
    if (pets.length === 0) {
      const add = nextCommand(values, 'pets add NAME --category ID')
      return terminal.print(`There are no such animals. Add one with: ${add}`)
    }
    terminal.print(petTable(pets))
  },
})
