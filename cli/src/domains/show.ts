import { defineCommand } from '../line/command.ts'
import { openServer } from '../remote/server.ts'
import { domainOptions, hostname } from './options.ts'
import { detailsText } from './text.ts'

export const command = defineCommand({
  about: `Shows all that is known of a domain: its state, its record, the last check with its problems, its certificate.
With --evidence it prints every question that the last check asked and every answer that it got, for
petstore domains explain.`,
  arguments: [hostname],
  options: { evidence: { type: 'boolean', help: 'print the evidence of the last check, as JSON' }, ...domainOptions },
  examples: [
    'petstore domains show www.example.com --project kennel',
    'petstore domains show www.example.com --project kennel --evidence > evidence.json',
  ],
  async run({ values, arguments: [domain], terminal }) {
    const server = openServer(values)
    const of = { project: values.project, hostname: domain }
    if (values.evidence) {
      return terminal.printJson(await server.call('GET /projects/{project}/domains/{hostname}/evidence', of))
    }
    const details = await server.call('GET /projects/{project}/domains/{hostname}', of)
    if (values.json) return terminal.printJson(details)
    terminal.print(detailsText(details, terminal))
  },
})
