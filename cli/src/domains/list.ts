import { defineCommand } from '../line/command.ts'
import { nextCommand, openServer } from '../remote/server.ts'
import { domainOptions } from './options.ts'
import { domainTable } from './text.ts'

export const command = defineCommand({
  about: 'Lists the domains of a project: the primary and its redirects.',
  arguments: [],
  options: domainOptions,
  examples: ['petstore domains list --project kennel', 'petstore domains list --project kennel --json | jq .primary'],
  async run({ values, terminal }) {
    const { project } = values
    const listed = await openServer(values).call('GET /projects/{project}/domains', { project })
    const { primary, redirects, domains } = listed
    if (values.json) return terminal.printJson({ primary, redirects, domains })
    if (domains.length > 0) return terminal.print(domainTable(domains))
    const add = nextCommand(values, `domains add DOMAIN --project ${values.project}`)
    terminal.print(`${values.project} has no domains. Add one with: ${add}`)
  },
})
