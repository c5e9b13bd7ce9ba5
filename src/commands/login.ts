import { ask, firstLineOfInput } from './line/ask.ts'
import { defineCommand, UsageError } from './line/command.ts'
import { dashboardOptions, originOf, signInAt } from './remote/dashboard.ts'
import { json } from './line/options.ts'

export const command = defineCommand({
  about: `Signs in at a server, for the commands that act in your name. The session is kept in a file that only you can
read, shows up in the dashboard under your sessions, and can be ended there.`,
  arguments: [],
  options: {
    email: { type: 'string', value: 'ADDRESS', help: 'your e-mail address; asked for where it is not given' },
    'password-stdin': { type: 'boolean', help: 'read the password from standard input' },
    ...dashboardOptions,
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
    const password = values['password-stdin'] ? await firstLineOfInput() : await ask('Password: ', { secret: true })
    const signIn = await signInAt(origin, email, password)
    if (values.json) return terminal.printJson({ server: origin, email: signIn.email })
    terminal.print(`Signed in at ${origin} as ${signIn.email}.`)
  },
})
