import { defineCommand } from '../line/command.ts'
import { openServer } from '../remote/server.ts'
import { domainOptions, hostname } from './options.ts'
import { rolesText } from './text.ts'

export const command = defineCommand({
  about: `Removes a domain from a project: traffic stops at once. If people know the address, redirect it first, and
remove its DNS record afterwards.`,
  arguments: [hostname],
  options: { revoke: { type: 'boolean', help: 'also revoke the certificate at its authority' }, ...domainOptions },
  examples: [
    'petstore domains remove old.example.com --project kennel',
    'petstore domains remove old.example.com --project kennel --revoke --json',
  ],
  async run({ values, arguments: [domain], terminal }) {
    const answer = await openServer(values).call('DELETE /projects/{project}/domains/{hostname}', {
      project: values.project,
      hostname: domain,
      query: { revoke: values.revoke ?? false },
    })
    if (values.json) return terminal.printJson(answer.domains)
    terminal.print(`Removed ${answer.removed.unicode} from ${values.project}.\n\n${rolesText(answer.domains)}`)
  },
})
