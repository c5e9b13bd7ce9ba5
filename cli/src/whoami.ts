import type { Account, TokenInUse } from '../../client/src/platform/platform.ts'
import { CommandError, defineCommand } from './line/command.ts'
import { moment } from './line/moment.ts'
import { json } from './line/options.ts'
import { openServer, serverOptions } from './remote/server.ts'

export const command = defineCommand({
  about: 'Tells at which server the commands act, and in whose name: yours, or that of the token in PETSTORE_TOKEN.',
  arguments: [],
  options: { ...serverOptions, json },
  examples: ['petstore whoami', 'petstore whoami --server https://pets.example.com --json'],
  async run({ values, terminal }) {
    const { origin, by, call } = openServer(values)
    if (by === 'token') {
      const token = await call('GET /token', {})
      return values.json ? terminal.printJson({ server: origin, token }) : terminal.print(tokenText(token, origin))
    }
    const { account } = await call('GET /session', {})
    if (account === null) {
      throw new CommandError(
        `The session at ${origin} has ended. Sign in again with: petstore login --server ${origin}`,
      )
    }
    if (values.json) return terminal.printJson({ server: origin, account })
    terminal.print(accountText(account, origin))
  },
})

const accountText = ({ email, name, operator }: Account, origin: string) =>
  `${email} (${name}) at ${origin}${operator ? ', its operator' : ''}.`

function tokenText({ name, madeBy, project, scopes, expiresAt }: TokenInUse, origin: string): string {
  const maker = madeBy === null ? '' : ` of ${madeBy.email}`
  const until = moment(expiresAt)
  return `The token "${name}"${maker} at ${origin}, for ${project.slug} until ${until}: ${scopes.join(', ')}.`
}
