import { columns } from '../line/columns.ts'
import { defineCommand } from '../line/command.ts'
import { environment, json, project } from '../line/options.ts'
import { nextCommand, openServer, serverOptions } from '../remote/server.ts'
import { KEY_COLUMNS, keyRow } from './text.ts'

export const command = defineCommand({
  about: 'Lists the API keys of a project: never the keys themselves, which are stored only as hashes.',
  arguments: [],
  options: {
    project: { ...project, required: true },
    environment: { ...environment, help: 'only the keys of this environment' },
    ...serverOptions,
    json,
  },
  examples: ['petstore keys list --project kennel', 'petstore keys list --project kennel --environment staging --json'],
  async run({ values, terminal }) {
    const { project: slug, environment: only } = values
    const query = only === undefined ? {} : { environment: only }
    const keys = await openServer(values).call('GET /projects/{project}/keys', { project: slug, query })
    if (values.json) return terminal.printJson(keys)
    if (keys.length === 0) {
      return terminal.print(`This project has no keys. Mint one with: ${nextCommand(values, 'keys create')}`)
    }
    terminal.print(columns([KEY_COLUMNS, ...keys.map(keyRow)]))
  },
})
