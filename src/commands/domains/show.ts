import type { DomainDetails } from '../../features/domains/view.ts'
import { defineCommand } from '../line/command.ts'
import { openDashboard } from '../remote/dashboard.ts'
import { domainOptions, domainsPath, hostname } from './room.ts'
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
    const dashboard = openDashboard(values)
    const path = domainsPath(values.project, domain)
    if (values.evidence) return terminal.printJson(await dashboard.send('GET', `${path}/evidence`))
    const details = await dashboard.send<DomainDetails>('GET', path)
    if (values.json) return terminal.printJson(details)
    terminal.print(detailsText(details, terminal))
  },
})
