import { listKeys } from '../../features/keys/keys.ts'
import { findProject } from '../../features/projects/projects.ts'
import { withMakers } from '../../platform-api/member-keys.ts'
import { columns } from '../../../cli/src/line/columns.ts'
import { defineCommand } from '../../../cli/src/line/command.ts'
import { environment, json, project } from '../../../cli/src/line/options.ts'
import { openCommandStorage } from '../storage.ts'
import { KEY_COLUMNS, keyRow } from '../../../cli/src/keys/text.ts'

export const command = defineCommand({
  about: 'Lists the API keys of a project: never the keys themselves, which are stored only as hashes.',
  arguments: [],
  options: {
    project: { ...project, required: true },
    environment: { ...environment, help: 'only the keys of this environment' },
    json,
  },
  examples: [
    'petstore keys list --project petstore',
    'petstore keys list --project petstore --environment staging --json',
  ],
  async run({ values, terminal, clock }) {
    await using storage = await openCommandStorage(clock)
    const { id: projectId } = await findProject({ storage }, values.project)
    const listed = await listKeys({ storage, clock }, projectId, values.environment)
    const keys = await withMakers(storage.read, listed)
    if (values.json) return terminal.printJson(keys)
    if (keys.length === 0) return terminal.print('This project has no keys. Mint one with: petstore keys create')
    terminal.print(columns([KEY_COLUMNS, ...keys.map(keyRow)]))
  },
})
