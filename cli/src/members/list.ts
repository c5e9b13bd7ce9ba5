import { columns } from '../line/columns.ts'
import { defineCommand } from '../line/command.ts'
import { json, project } from '../line/options.ts'
import { openServer, serverOptions } from '../remote/server.ts'

export const command = defineCommand({
  about: 'Lists the people of a project.',
  arguments: [],
  options: { project: { ...project, required: true }, ...serverOptions, json },
  examples: ['petstore members list --project kennel', 'petstore members list --project kennel --json'],
  async run({ values, terminal }) {
    const members = await openServer(values).call('GET /projects/{project}/members', { project: values.project })
    if (values.json) return terminal.printJson(members)
    const rows = members.map(({ email, role, joinedAt, name }) => [email, role, joinedAt.slice(0, 10), name])
    terminal.print(columns([['EMAIL', 'ROLE', 'SINCE', 'NAME'], ...rows]))
  },
})
