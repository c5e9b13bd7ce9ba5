import { ask, linesOfInput } from './line/ask.ts'
import { CommandError, defineCommand, UsageError } from './line/command.ts'
import { serverOptions, originOf, signInAt } from './remote/server.ts'
import { json } from './line/options.ts'

export const command = defineCommand({
  about: `Signs in at a server, for the commands that act in your name. The session is kept in a file that only you can
read, shows up in the dashboard under your sessions, and can be ended there.`,
  arguments: [],
  options: {
    email: { type: 'string', value: 'ADDRESS', help: 'your e-mail address; asked for where it is not given' },
    'password-stdin': {
      type: 'boolean',
      help: 'read the password from standard input, and a one-time code, where the account asks for one, below it',
    },
    ...serverOptions,
    json,
  },
  examples: [
    'petstore login',
    'petstore login --server https://pets.example.com --email ada@example.com --password-stdin < password',
  ],
  async run({ values, terminal }) {
    const origin = originOf(values)
    if (values['password-stdin'] && values.email === undefined) throw new UsageError('--password-stdin needs --email.')
    if (!values['password-stdin'] && !process.stdin.isTTY) {
      throw new UsageError('There is no terminal to ask for the password: give --email and --password-stdin.')
    }
    const email = values.email ?? (await ask(`E-mail address for ${origin}: `))
    const [password = '', code] = values['password-stdin']
      ? await linesOfInput()
      : [await ask('Password: ', { secret: true })]
    if (values['password-stdin'] && password === '') {
      throw new CommandError('The first line of standard input is empty: it must be the password.')
    }
    const signIn = await signInAt(origin, { email, password, askForCode: () => codeOf(values, code) })
    if (values.json) return terminal.printJson({ server: origin, email: signIn.email })
    terminal.print(`Signed in at ${origin} as ${signIn.email}.`)
  },
})

/** A passkey needs a browser; recovery codes stand in for it. */
async function codeOf(values: { 'password-stdin': boolean | undefined }, code: string | undefined): Promise<string> {
  if (code) return code
  if (!values['password-stdin']) return ask('One-time code or recovery code: ')
  throw new CommandError('This account asks for a one-time code: give one on the second line of standard input.')
}
