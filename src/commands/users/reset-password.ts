import { readConfig } from '../../config.ts'
import { makePasswordLink } from '../../features/accounts/accounts.ts'
import { defineCommand } from '../line/command.ts'
import { json } from '../line/options.ts'
import { openCommandStorage } from '../storage.ts'
import { passwordStdin, readNewPassword, usePasswordLink } from './password.ts'

export const command = defineCommand({
  about: `Prints a link on which a person chooses a new password; it works once, for a day. Until then the old password
goes on working. A new password ends every session of the person.`,
  arguments: [{ name: 'EMAIL', help: 'the address of the account' }],
  options: { 'password-stdin': passwordStdin, json },
  examples: [
    'petstore users reset-password ada@example.com',
    'petstore users reset-password ada@example.com --password-stdin < password',
  ],
  async run({ values, arguments: [address], terminal, clock }) {
    const password = values['password-stdin'] ? await readNewPassword(address) : undefined
    await using storage = await openCommandStorage(clock)
    const made = await makePasswordLink({ storage, clock, dashboardUrl: readConfig().baseUrl.origin }, address)
    if (password === undefined) {
      if (values.json) return terminal.printJson(made)
      return terminal.print(`${made.email} chooses a new password here, once, within a day:\n\n  ${made.link}`)
    }
    await usePasswordLink({ storage, clock }, made.link, password)
    if (values.json) return terminal.printJson({ email: made.email })
    terminal.print(`Changed the password of ${made.email}; every session has ended.`)
  },
})
