import { defineCommand } from '../line/command.ts'
import { json } from '../line/options.ts'
import { openServer, serverOptions } from '../remote/server.ts'

export const command = defineCommand({
  about: 'Lets a suspended project go on as it was, as the operator of the platform.',
  arguments: [{ name: 'SLUG', help: 'the project' }],
  options: { ...serverOptions, json },
  examples: ['petstore projects resume kennel', 'petstore projects resume kennel --json'],
  async run({ values, arguments: [slug], terminal }) {
    const resumed = await openServer(values).call('DELETE /operator/projects/{slug}/suspension', { slug })
    if (values.json) return terminal.printJson(resumed)
    terminal.print(`Project ${slug} goes on as it was.`)
  },
})
