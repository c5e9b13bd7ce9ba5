import { PetstoreError } from '../../client/src/platform/platform.ts'
import { CommandError, defineCommand } from './line/command.ts'
import { nextCommand, openSession, serverOptions } from './remote/server.ts'
import { json } from './line/options.ts'
import { forgetSession } from './remote/sign-in-file.ts'

export const command = defineCommand({
  about: 'Ends the session that petstore login has opened at a server.',
  arguments: [],
  options: { ...serverOptions, json },
  examples: ['petstore logout', 'petstore logout --server https://pets.example.com'],
  async run({ values, terminal }) {
    const { origin, call } = openSession(values)
    try {
      await call('POST /sign-out', {})
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      // Only a session that the server knows no more may be forgotten: the cookie is what can end it.
      if (!(error.cause instanceof PetstoreError && error.cause.status === 401)) {
        const again = `run ${nextCommand(values, 'logout')} again, or end it in the dashboard, among your sessions.`
        throw new CommandError(`${error.message}\nYour session at ${origin} may still be open: ${again}`, {
          cause: error,
        })
      }
    }
    forgetSession(origin)
    if (values.json) return terminal.printJson({ server: origin })
    terminal.print(`Signed out at ${origin}.`)
  },
})
