import { suspendProject } from '../../features/projects/suspensions.ts'
import { defineCommand } from '../../../cli/src/line/command.ts'
import { json, reason } from '../../../cli/src/line/options.ts'
import { openCommandStorage } from '../storage.ts'
import { withSuspension } from './with-suspension.ts'

export const command = defineCommand({
  about: `Suspends a project: its site, its keys and its members' changes stop within half a second, and nothing is
taken away.`,
  arguments: [{ name: 'SLUG', help: 'the project' }],
  options: { reason, json },
  examples: ['petstore projects suspend kennel --reason "It sends spam."'],
  async run({ values, arguments: [slug], terminal, clock }) {
    await using storage = await openCommandStorage(clock)
    await suspendProject({ storage }, { slug, reason: values.reason, now: clock.now() })
    if (values.json) return terminal.printJson(await withSuspension(storage, slug))
    terminal.print(`Project ${slug} is suspended. Let it go on with: petstore projects resume ${slug}`)
  },
})
