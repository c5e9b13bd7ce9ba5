import { readConfig } from '../config.ts'
import { defineCommand } from './line/command.ts'
import { json } from './line/options.ts'
import { dashboardOptions, openDashboard } from './remote/dashboard.ts'

export const command = defineCommand({
  about: 'Tells at which server the commands act, and in whose name.',
  arguments: [],
  options: { ...dashboardOptions, json },
  examples: ['petstore whoami', 'petstore whoami --server https://pets.example.com --json'],
  async run({ values, terminal }) {
    const { origin, call } = openDashboard(values)
    const { token } = readConfig()
    if (token !== undefined) {
      const shown = `${token.slice(0, 12)}…`
      if (values.json) return terminal.printJson({ server: origin, token: shown })
      return terminal.print(`The token ${shown} of PETSTORE_TOKEN, at ${origin}.`)
    }
    const { account } = await call('GET /session', {})
    if (values.json) terminal.printJson({ server: origin, account })
    else if (account) {
      terminal.print(`${account.email} (${account.name}) at ${origin}${account.operator ? ', its operator' : ''}.`)
    } else terminal.note(`The session at ${origin} has ended. Sign in again with: petstore login --server ${origin}`)
    return account ? 0 : 1
  },
})
