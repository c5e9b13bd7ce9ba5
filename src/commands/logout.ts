import { defineCommand } from './line/command.ts'
import { dashboardOptions, openDashboard } from './remote/dashboard.ts'
import { json } from './line/options.ts'
import { forgetSession } from './remote/sign-in-file.ts'

export const command = defineCommand({
  about: 'Ends the session that petstore login has opened at a server.',
  arguments: [],
  options: { ...dashboardOptions, json },
  examples: ['petstore logout', 'petstore logout --server https://pets.example.com'],
  async run({ values, terminal }) {
    const dashboard = openDashboard(values)
    await dashboard.call('POST /sign-out', {}).finally(() => forgetSession(dashboard.origin))
    if (values.json) return terminal.printJson({ server: dashboard.origin })
    terminal.print(`Signed out at ${dashboard.origin}.`)
  },
})
