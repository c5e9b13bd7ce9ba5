import { listAccounts } from '../../features/accounts/accounts.ts'
import { columns } from '../../../cli/src/line/columns.ts'
import { defineCommand } from '../../../cli/src/line/command.ts'
import { json } from '../../../cli/src/line/options.ts'
import { openCommandStorage } from '../storage.ts'

export const command = defineCommand({
  about: 'Lists all accounts.',
  arguments: [],
  options: { json },
  examples: ['petstore users list', 'petstore users list --json'],
  async run({ values, terminal, clock }) {
    await using storage = await openCommandStorage(clock)
    const accounts = await listAccounts({ storage })
    if (values.json) return terminal.printJson(accounts)
    if (accounts.length === 0) {
      return terminal.print('There are no accounts. Create one with: petstore users create EMAIL --project SLUG')
    }
    const rows = accounts.map(({ email, operator, createdAt, name }) => [
      email,
      operator ? 'operator' : '',
      createdAt.slice(0, 10),
      name,
    ])
    terminal.print(columns([['EMAIL', 'RIGHTS', 'CREATED', 'NAME'], ...rows]))
  },
})
