import { defineCommand } from '../line/command.ts'
import { openServer } from '../remote/server.ts'
import { domainOptions, hostname } from './options.ts'
import { rolesText } from './text.ts'

export const command = defineCommand({
  about: 'Makes a domain the primary, which serves the site. The former primary redirects to it, with status 301.',
  arguments: [hostname],
  options: domainOptions,
  examples: [
    'petstore domains primary www.example.com --project kennel',
    'petstore domains primary www.example.com --project kennel --json',
  ],
  async run({ values, arguments: [domain], terminal }) {
    const domains = await openServer(values).call('PUT /projects/{project}/domains/{hostname}/primary', {
      project: values.project,
      hostname: domain,
    })
    if (values.json) return terminal.printJson(domains)
    terminal.print(rolesText(domains))
  },
})
