import type { TokenScope } from '../../../client/src/platform/platform.ts'
import { defineCommand, UsageError } from '../line/command.ts'
import { json, project } from '../line/options.ts'
import { serverOptions, openServer } from '../remote/server.ts'

export const command = defineCommand({
  about: `Makes a token with which a program manages a project, and prints it, this once. It acts in your name, can do
nothing but its scopes say, and ends with your membership. Commands take it from PETSTORE_TOKEN.`,
  arguments: [],
  options: {
    project: { ...project, required: true },
    name: { type: 'string', value: 'NAME', help: 'what will use it', required: true },
    scopes: {
      type: 'string',
      value: 'SCOPES',
      help: 'what it may do, such as deploys:write,domains:read',
      required: true,
    },
    days: { type: 'string', value: 'DAYS', help: 'how long it lives; 90 unless told, a year at most' },
    ...serverOptions,
    json,
  },
  examples: [
    'petstore tokens create --project kennel --name "GitHub Actions" --scopes deploys:write',
    'petstore tokens create --project kennel --name backup --scopes pets:read,orders:read --days 30 --json',
  ],
  async run({ values, terminal }) {
    const expiresInDays = values.days === undefined ? undefined : Number(values.days)
    if (expiresInDays !== undefined && !Number.isInteger(expiresInDays)) {
      throw new UsageError(`--days is "${values.days}", but must be a number of days.`)
    }
    const created = await openServer(values).call('POST /projects/{project}/tokens', {
      project: values.project,
      body: {
        name: values.name,
        scopes: values.scopes.split(',').map((scope) => scope.trim() as TokenScope),
        ...(expiresInDays === undefined ? {} : { expiresInDays }),
      },
    })
    if (values.json) return terminal.printJson({ project: values.project, ...created })
    terminal.print(`${terminal.style('bold', created.token)}

Keep it now: only its hash is stored, and it cannot be shown again.
  id       ${created.id}
  name     ${created.name}
  for      ${values.project}
  scopes   ${created.scopes.join(', ')}
  expires  ${created.expiresAt}`)
  },
})
