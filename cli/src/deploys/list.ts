import { columns } from '../line/columns.ts'
import { defineCommand } from '../line/command.ts'
import { moment } from '../line/moment.ts'
import { json, project } from '../line/options.ts'
import { openServer, serverOptions } from '../remote/server.ts'

export const command = defineCommand({
  about: 'Lists the deploys of a project, newest first.',
  arguments: [],
  options: { project: { ...project, required: true }, ...serverOptions, json },
  examples: ['petstore deploys list --project kennel', 'petstore deploys list --project kennel --json'],
  async run({ values, terminal }) {
    const deploys = await openServer(values).call('GET /projects/{project}/deploys', { project: values.project })
    if (values.json) return terminal.printJson(deploys)
    const rows = deploys.map(({ id, active, files, createdAt, createdBy, name }) => [
      id,
      active ? 'shown' : '–',
      String(files),
      moment(createdAt),
      createdBy,
      name ?? '–',
    ])
    terminal.print(columns([['ID', 'STATE', 'FILES', 'MADE', 'BY', 'NAME'], ...rows]))
  },
})
