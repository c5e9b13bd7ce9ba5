import { PLANS } from '../line/choices.ts'
import { defineCommand } from '../line/command.ts'
import { json } from '../line/options.ts'
import { openServer, serverOptions } from '../remote/server.ts'

export const command = defineCommand({
  about: "Changes a project's plan, as the operator of the platform. Custom domains need pro or enterprise.",
  arguments: [
    { name: 'SLUG', help: 'the project' },
    { name: 'PLAN', help: 'its new plan', choices: PLANS },
  ],
  options: { ...serverOptions, json },
  examples: ['petstore projects plan kennel pro', 'petstore projects plan kennel free --json'],
  async run({ values, arguments: [slug, plan], terminal }) {
    const changed = await openServer(values).call('PUT /operator/projects/{slug}/plan', { slug, body: { plan } })
    if (values.json) return terminal.printJson(changed)
    terminal.print(`Project ${changed.slug} is on plan ${changed.plan} now.`)
  },
})
