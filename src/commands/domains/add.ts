import type { DomainDetails } from '../../../client/src/platform/platform.ts'
import { defineCommand } from '../line/command.ts'
import { openDashboard } from '../remote/dashboard.ts'
import { domainOptions, hostname } from './options.ts'
import { recordAdviceText, roleText } from './text.ts'

export const command = defineCommand({
  about: `Attaches a domain to a project and prints the DNS record to create. The first domain becomes the primary,
which serves the site; later ones redirect to it.`,
  arguments: [hostname],
  options: domainOptions,
  examples: [
    'petstore domains add www.example.com --project kennel',
    'petstore domains add example.com --project kennel --json',
  ],
  async run({ values, arguments: [domain], terminal }) {
    const dashboard = openDashboard(values)
    const added = await dashboard.call('POST /projects/{project}/domains', {
      project: values.project,
      body: { hostname: domain },
    })
    if (values.json) return terminal.printJson(added)
    const { sandbox } = await dashboard.call('GET /installation', {})
    const rehearsal = sandbox ? `\n\nOr, in the sandbox of this installation:\n\n  ${sandboxCommand(added)}` : ''
    terminal.print(`Added ${added.unicode} to ${values.project} (${roleText(added)}).

Create this record where the DNS of the domain is managed:

${recordAdviceText(added.record)}${rehearsal}

Then verify it:

  petstore domains verify ${added.hostname} --project ${values.project} --wait`)
  },
})

/** The same record as a command, for those who rehearse. */
function sandboxCommand({ record: { record } }: Pick<DomainDetails, 'record'>): string {
  return `petstore sandbox dns add ${record.fullName} ${record.type} ${record.value}`
}
