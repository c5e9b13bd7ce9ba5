import { defineCommand } from '../../../cli/src/line/command.ts'
import { json } from '../../../cli/src/line/options.ts'
import { projectTable } from '../../../cli/src/projects/text.ts'
import { openCommandStorage } from '../storage.ts'
import { allWithSuspensions } from './with-suspension.ts'

export const command = defineCommand({
  about: 'Lists all projects.',
  arguments: [],
  options: { json },
  examples: ['petstore projects list', 'petstore projects list --json'],
  async run({ values, terminal, clock }) {
    await using storage = await openCommandStorage(clock)
    const projects = await allWithSuspensions(storage)
    if (values.json) return terminal.printJson(projects)
    if (projects.length === 0) {
      return terminal.print('There are no projects. Create one with: petstore projects create SLUG')
    }
    terminal.print(projectTable(projects))
  },
})
