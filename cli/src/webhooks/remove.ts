import { defineCommand } from '../line/command.ts'
import { json, project } from '../line/options.ts'
import { serverOptions, openServer } from '../remote/server.ts'

export const command = defineCommand({
  about: 'Removes an endpoint: nothing more is sent there, and what waits is thrown away.',
  arguments: [{ name: 'ID', help: 'the id of the endpoint, as petstore webhooks list shows it' }],
  options: { project: { ...project, required: true }, ...serverOptions, json },
  examples: ['petstore webhooks remove whe_0000000000000000 --project kennel'],
  async run({ values, arguments: [webhook], terminal }) {
    const { project: slug } = values
    await openServer(values).call('DELETE /projects/{project}/webhooks/{webhook}', { project: slug, webhook })
    if (values.json) return terminal.printJson({ project: slug, id: webhook })
    terminal.print(`Removed ${webhook} of ${slug}.`)
  },
})
