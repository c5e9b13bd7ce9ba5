import { defineCommand } from './line/command.ts'
import { serverOptions, openServer } from './remote/server.ts'
import { json } from './line/options.ts'
import { forgetSession } from './remote/sign-in-file.ts'

export const command = defineCommand({
  about: 'Ends the session that petstore login has opened at a server.',
  arguments: [],
  options: { ...serverOptions, json },
  examples: ['petstore logout', 'petstore logout --server https://pets.example.com'],
  async run({ values, terminal }) {
    const server = openServer(values)
    await server.call('POST /sign-out', {}).finally(() => forgetSession(server.origin))
    if (values.json) return terminal.printJson({ server: server.origin })
    terminal.print(`Signed out at ${server.origin}.`)
  },
})
