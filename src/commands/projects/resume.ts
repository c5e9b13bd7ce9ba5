import { resumeProject } from '../../features/projects/suspensions.ts'
import { defineCommand } from '../../../cli/src/line/command.ts'
import { json } from '../../../cli/src/line/options.ts'
import { openCommandStorage } from '../storage.ts'
import { withSuspension } from './with-suspension.ts'

export const command = defineCommand({
  about: 'Lets a suspended project go on as it was.',
  arguments: [{ name: 'SLUG', help: 'the project' }],
  options: { json },
  examples: ['petstore projects resume kennel'],
  async run({ values, arguments: [slug], terminal, clock }) {
    await using storage = await openCommandStorage(clock)
    await resumeProject({ storage }, { slug, now: clock.now() })
    if (values.json) return terminal.printJson(await withSuspension(storage, slug))
    terminal.print(`Project ${slug} goes on as it was.`)
  },
})
