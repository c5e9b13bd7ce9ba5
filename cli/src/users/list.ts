import { columns } from '../line/columns.ts'
import { defineCommand } from '../line/command.ts'
import { json } from '../line/options.ts'
import { allItems } from '../remote/items-of.ts'
import { openServer, serverOptions } from '../remote/server.ts'

export const command = defineCommand({
  about: 'Lists all accounts, for the operator of the platform.',
  arguments: [],
  options: { ...serverOptions, json },
  examples: ['petstore users list', 'petstore users list --json'],
  async run({ values, terminal }) {
    const { page } = openServer(values)
    const accounts = await allItems((query) => page('GET /operator/accounts', { query }))
    if (values.json) return terminal.printJson(accounts)
    const rows = accounts.map(({ email, operator, createdAt, name }) => [
      email,
      operator ? 'operator' : '',
      createdAt.slice(0, 10),
      name,
    ])
    terminal.print(columns([['EMAIL', 'RIGHTS', 'CREATED', 'NAME'], ...rows]))
  },
})
