import { PLANS } from '../../features/projects/tables.ts'
import { defineCommand } from '../../../cli/src/line/command.ts'
import { json } from '../../../cli/src/line/options.ts'
import { changePlan } from '../../platform-api/change-project.ts'
import { openCommandStorage } from '../storage.ts'
import { withSuspension } from './with-suspension.ts'

export const command = defineCommand({
  about: "Changes a project's plan. Custom domains need pro or enterprise.",
  arguments: [
    { name: 'SLUG', help: 'the project' },
    { name: 'PLAN', help: 'its new plan', choices: PLANS },
  ],
  options: { json },
  examples: ['petstore projects plan kennel pro'],
  async run({ values, arguments: [slug, plan], terminal, clock }) {
    await using storage = await openCommandStorage(clock)
    const changed = await changePlan({ storage }, slug, plan)
    if (values.json) return terminal.printJson(await withSuspension(storage, changed.slug))
    terminal.print(`Project ${changed.slug} is on plan ${changed.plan} now.`)
  },
})
