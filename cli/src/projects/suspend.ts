import { defineCommand } from '../line/command.ts'
import { json, reason } from '../line/options.ts'
import { nextCommand, openServer, serverOptions } from '../remote/server.ts'

export const command = defineCommand({
  about: `Suspends a project, as the operator of the platform: its site, its keys and its members' changes stop at once,
and nothing is taken away.`,
  arguments: [{ name: 'SLUG', help: 'the project' }],
  options: { reason, ...serverOptions, json },
  examples: [
    'petstore projects suspend kennel --reason "It sends spam."',
    'petstore projects suspend kennel --reason "It sends spam." --json',
  ],
  async run({ values, arguments: [slug], terminal }) {
    const suspended = await openServer(values).call('PUT /operator/projects/{slug}/suspension', {
      slug,
      body: { reason: values.reason },
    })
    if (values.json) return terminal.printJson(suspended)
    terminal.print(`Project ${slug} is suspended. Let it go on with: ${nextCommand(values, `projects resume ${slug}`)}`)
  },
})
