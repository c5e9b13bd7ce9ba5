import { defineCommand } from '../line/command.ts'
import { parseInstant, wholeDays } from '../line/duration.ts'
import { environment, json, project } from '../line/options.ts'
import { openServer, serverOptions } from '../remote/server.ts'
import { shownOnce } from './text.ts'

/** That a server counts by itself. */
const DAYS_MAX = 3650

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
    ...serverOptions,
    json,
  },
  examples: [
    'petstore keys create --project kennel --environment production',
    'petstore keys create --project kennel --environment staging --name nightly --scopes read --expires 30d --json',
  ],
  async run({ values, terminal, clock }) {
    const { project: slug, name, scopes, expires } = values
    const expiresAt = expires === undefined ? undefined : parseInstant('expires', expires, clock.now())
    const days = wholeDays(expires ?? '')
    const created = await openServer(values).call('POST /projects/{project}/keys', {
      project: slug,
      body: {
        environment: values.environment,
        ...(name === undefined ? {} : { name }),
        ...(scopes === undefined ? {} : { scopes: scopes.split(',').map((scope) => scope.trim() as 'read' | 'write') }),
        ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
        // The server counts them by its own clock; one from before goes by the instant.
        ...(days !== undefined && days >= 1 && days <= DAYS_MAX ? { expiresInDays: days } : {}),
      },
    })
    if (values.json) return terminal.printJson({ project: slug, ...created })
    terminal.print(shownOnce(created, slug, terminal))
  },
})
