import { columns } from '../line/columns.ts'
import { defineCommand } from '../line/command.ts'
import { moment } from '../line/moment.ts'
import { json, project } from '../line/options.ts'
import { nextCommand, openServer, serverOptions } from '../remote/server.ts'

export const command = defineCommand({
  about: 'Lists the tokens of a project: never the tokens themselves, which are stored only as hashes.',
  arguments: [],
  options: { project: { ...project, required: true }, ...serverOptions, json },
  examples: ['petstore tokens list --project kennel', 'petstore tokens list --project kennel --json'],
  async run({ values, terminal }) {
    const { project } = values
    const tokens = await openServer(values).call('GET /projects/{project}/tokens', { project })
    if (values.json) return terminal.printJson(tokens)
    if (tokens.length === 0) {
      return terminal.print(`This project has no tokens. Make one with: ${nextCommand(values, 'tokens create')}`)
    }
    const rows = tokens.map(({ id, state, hint, scopes, expiresAt, lastUsedAt, madeBy, name }) => [
      id,
      state,
      hint,
      scopes.join(','),
      moment(expiresAt),
      moment(lastUsedAt, 'never'),
      madeBy?.email ?? '–',
      name,
    ])
    terminal.print(columns([['ID', 'STATE', 'TOKEN', 'SCOPES', 'EXPIRES', 'LAST USED', 'MADE BY', 'NAME'], ...rows]))
  },
})
