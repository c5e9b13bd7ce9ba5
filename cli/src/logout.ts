import { PetstoreError } from '../../client/src/platform/platform.ts'
import { CommandError, defineCommand } from './line/command.ts'
import { nextCommand, openSession, serverOptions } from './remote/server.ts'
import { json } from './line/options.ts'
import { forgetSession } from './remote/sign-in-file.ts'

export const command = defineCommand({
  about: `Ends the session that petstore login has opened at a server. Where the server cannot be asked, the session is
kept, because nothing else can end it from here; --forget forgets it in any case, for a server that is gone.`,
  arguments: [],
  options: {
    ...serverOptions,
    forget: { type: 'boolean', help: 'forget the session on this computer also where the server does not end it' },
    json,
  },
  examples: ['petstore logout', 'petstore logout --server https://pets.example.com'],
  async run({ values, terminal }) {
    const { origin, call } = openSession(values)
    const failure = await call('POST /sign-out', {}).then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof CommandError)) throw error
        // The server knows the session no more.
        return error.cause instanceof PetstoreError && error.cause.status === 401 ? undefined : error
      },
    )
    if (failure && !values.forget) {
      const command = nextCommand(values, 'logout')
      throw new CommandError(
        `${failure.message}\nYour session at ${origin} may still be open: run ${command} again, or end it in the ` +
          `dashboard, among your sessions. Is the server gone for good? Forget it here: ${command} --forget`,
        { cause: failure },
      )
    }
    forgetSession(origin)
    if (values.json) return terminal.printJson({ server: origin, ended: failure === undefined })
    if (!failure) return terminal.print(`Signed out at ${origin}.`)
    terminal.print(
      `${failure.message}\nForgot your session at ${origin} on this computer. It may still be open there, until it ` +
        'is ended in the dashboard or runs out.',
    )
  },
})
