import { REDIRECT_STATUSES } from '../line/choices.ts'
import { defineCommand } from '../line/command.ts'
import { openServer } from '../remote/server.ts'
import { domainOptions } from './options.ts'
import { rolesText } from './text.ts'

export const command = defineCommand({
  about: 'Lets a domain redirect to another one of the project. Path and query are kept.',
  arguments: [
    { name: 'FROM', help: 'the domain that redirects' },
    { name: 'TO', help: 'where it leads: another domain of the project' },
  ],
  options: {
    status: { type: 'string', choices: REDIRECT_STATUSES, help: 'the HTTP status; unchanged unless told' },
    ...domainOptions,
  },
  examples: [
    'petstore domains redirect example.com www.example.com --project kennel',
    'petstore domains redirect old.example.com www.example.com --project kennel --status 308 --json',
  ],
  async run({ values, arguments: [from, to], terminal }) {
    const body = { to, ...(values.status === undefined ? {} : { status: Number(values.status) }) }
    const domains = await openServer(values).call('PUT /projects/{project}/domains/{hostname}/redirect', {
      project: values.project,
      hostname: from,
      body,
    })
    if (values.json) return terminal.printJson(domains)
    terminal.print(rolesText(domains))
  },
})
