import type { AnyProject } from '../../../client/src/platform/platform.ts'
import { defineCommand } from '../line/command.ts'
import { json } from '../line/options.ts'
import { allItems } from '../remote/items-of.ts'
import { nextCommand, openServer, serverOptions } from '../remote/server.ts'
import { projectTable } from './text.ts'

export const command = defineCommand({
  about: 'Lists your projects; with a token, the one that it is for.',
  arguments: [],
  options: { all: { type: 'boolean', help: 'those of everybody, for the operator' }, ...serverOptions, json },
  examples: ['petstore projects list', 'petstore projects list --all --json'],
  async run({ values, terminal }) {
    const { call, page } = openServer(values)
    const projects: AnyProject[] = values.all
      ? await allItems((query) => page('GET /operator/projects', { query }))
      : await call('GET /projects', {})
    if (values.json) return terminal.printJson(projects)
    if (projects.length === 0) {
      return terminal.print(`There are no projects. Create one with: ${nextCommand(values, 'projects create SLUG')}`)
    }
    terminal.print(projectTable(projects))
  },
})
