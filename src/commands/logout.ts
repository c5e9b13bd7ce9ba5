import { defineCommand } from './command.ts'
import { dashboardOptions, openDashboard } from './dashboard.ts'
import { json } from './options.ts'
import { keepSignIn } from './sign-in-file.ts'

export const command = defineCommand({
  about: 'Ends the session that petstore login has opened at a server.',
  arguments: [],
  options: { ...dashboardOptions, json },
  examples: ['petstore logout', 'petstore logout --server https://pets.example.com'],
  async run({ values, terminal }) {
    const dashboard = openDashboard(values)
    await dashboard.send('POST', '/sign-out', {}).finally(() => keepSignIn(dashboard.origin, undefined))
    if (values.json) return terminal.printJson({ server: dashboard.origin })
    terminal.print(`Signed out at ${dashboard.origin}.`)
  },
})
