import { listProjects } from '../../features/projects/projects.ts'
import { columns } from '../../../cli/src/line/columns.ts'
import { defineCommand } from '../../../cli/src/line/command.ts'
import { json } from '../../../cli/src/line/options.ts'
import { openCommandStorage } from '../storage.ts'

export const command = defineCommand({
  about: 'Lists all projects.',
  arguments: [],
  options: { json },
  examples: ['petstore projects list', 'petstore projects list --json'],
  async run({ values, terminal, clock }) {
    await using storage = await openCommandStorage(clock)
    const projects = await listProjects({ storage })
    if (values.json) return terminal.printJson(projects)
    if (projects.length === 0) {
      return terminal.print('There are no projects. Create one with: petstore projects create SLUG')
    }
    const rows = projects.map(({ slug, plan, createdAt, name }) => [slug, plan, createdAt.slice(0, 10), name])
    terminal.print(columns([['SLUG', 'PLAN', 'CREATED', 'NAME'], ...rows]))
  },
})
