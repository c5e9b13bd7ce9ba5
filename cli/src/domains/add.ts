import type { DomainDetails } from '../../../client/src/platform/platform.ts'
import { defineCommand } from '../line/command.ts'
import { nextCommand, openServer } from '../remote/server.ts'
import { domainOptions, hostname } from './options.ts'
import { instructionTable, recordAdviceText, roleText } from './text.ts'

export const command = defineCommand({
  about: `Attaches a domain to a project and prints the DNS record to create. The first domain becomes the primary,
which serves the site; later ones redirect to it.`,
  arguments: [hostname],
  options: {
    ...domainOptions,
    prepare: { type: 'boolean', help: 'it is in use elsewhere: have its certificate before its record changes' },
  },
  examples: [
    'petstore domains add www.example.com --project kennel',
    'petstore domains add shop.example.com --project kennel --prepare',
    'petstore domains add example.com --project kennel --json',
  ],
  async run({ values, arguments: [domain], terminal }) {
    const server = openServer(values)
    const request = { project: values.project, body: { hostname: domain } }
    const added = values.prepare
      ? await server.call('POST /projects/{project}/prepared-domains', request)
      : await server.call('POST /projects/{project}/domains', request)
    if (values.json) return terminal.printJson(added)
    if (values.prepare) return terminal.print(preparedText(added, values))
    const { sandbox } = await server.call('GET /installation', {})
    const rehearsal = sandbox
      ? `\n\nOr, in the sandbox of this installation:\n\n  ${sandboxCommand(added, values)}`
      : ''
    terminal.print(`Added ${added.unicode} to ${values.project} (${roleText(added)}).

Create this record where the DNS of the domain is managed:

${recordAdviceText(added)}${rehearsal}

Then verify it:

  ${verifyCommand(added, values)}`)
  },
})

interface Wanted {
  project: string
  server: string | undefined
}

function preparedText(added: DomainDetails, values: Wanted): string {
  const { unicode, record } = added
  return `${unicode} is being prepared for ${values.project}. Leave its own record as it is.

Create these two records where the DNS of the domain is managed:

${instructionTable([record.proof, record.challenge].filter((line) => line !== null))}

The certificate is issued when both are seen. Wait for it, and change the domain's own record when it is ready:

  ${verifyCommand(added, values)}`
}

const verifyCommand = ({ hostname }: DomainDetails, values: Wanted) =>
  nextCommand(values, `domains verify ${hostname} --project ${values.project} --wait`)

/** The same record as a command, for those who rehearse. */
function sandboxCommand({ record: { record } }: DomainDetails, values: Wanted): string {
  return nextCommand(values, `sandbox dns add ${record.fullName} ${record.type} ${record.value}`)
}
