import { createKey } from '../../features/keys/keys.ts'
import { findProject } from '../../features/projects/projects.ts'
import { defineCommand } from '../../../cli/src/line/command.ts'
import { parseInstant } from '../../../cli/src/line/duration.ts'
import { environment, json, project } from '../../../cli/src/line/options.ts'
import { openCommandStorage } from '../storage.ts'
import { shownOnce } from '../../../cli/src/keys/text.ts'

export const command = defineCommand({
  about: 'Mints an API key and prints it, this once: only its hash is stored.',
  arguments: [],
  options: {
    project: { ...project, required: true },
    environment: { ...environment, required: true },
    name: { type: 'string', value: 'NAME', help: 'what to recognise the key by' },
    scopes: { type: 'string', value: 'read,write', help: 'what the key may do; both unless told' },
    expires: {
      type: 'string',
      value: '30d|DATE',
      help: 'when the key stops working (a date: as it begins in UTC); never unless told',
    },
    json,
  },
  examples: [
    'petstore keys create --project petstore --environment production',
    'petstore keys create --project petstore --environment staging --name nightly --scopes read --expires 30d --json',
  ],
  async run({ values, terminal, clock }) {
    const expiresAt = values.expires === undefined ? undefined : parseInstant('expires', values.expires, clock.now())
    await using storage = await openCommandStorage(clock)
    const { id: projectId } = await findProject({ storage }, values.project)
    const created = await createKey({ storage, clock }, projectId, {
      environment: values.environment,
      expiresAt,
      ...(values.name === undefined ? {} : { name: values.name }),
      ...(values.scopes === undefined ? {} : { scopes: values.scopes.split(',').map((scope) => scope.trim()) }),
    })
    if (values.json) return terminal.printJson({ project: values.project, ...created })
    terminal.print(shownOnce(created, values.project, terminal))
  },
})
