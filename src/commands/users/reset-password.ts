import { readConfig } from '../../config.ts'
import { makePasswordLink } from '../../features/accounts/accounts.ts'
import { defineCommand } from '../../../cli/src/line/command.ts'
import { json } from '../../../cli/src/line/options.ts'
import { auditedStorage, openPlainStorage } from '../storage.ts'
import { mailSealerOf, printLink, wasMailed } from './link-mail.ts'
import { passwordStdin, readNewPassword, usePasswordLink } from './password.ts'

export const command = defineCommand({
  about: `Mails a person a link on which to choose a new password, or prints it where no mail server is configured. It
works once, for a day; until then the old password goes on working. A new password ends every session of the person.
After a mailed link the account still asks for its passkey or code; a printed one is the way back for somebody who has
lost theirs.`,
  arguments: [{ name: 'EMAIL', help: 'the address of the account' }],
  options: { 'print-link': printLink, 'password-stdin': passwordStdin, json },
  examples: [
    'petstore users reset-password ada@example.com',
    'petstore users reset-password ada@example.com --print-link',
    'petstore users reset-password ada@example.com --password-stdin < password',
  ],
  async run({ values, arguments: [address], terminal, clock }) {
    const password = values['password-stdin'] ? await readNewPassword(address) : undefined
    const config = readConfig()
    await using database = await openPlainStorage(config)
    const storage = auditedStorage(database, config, clock)
    const mailSealer = await mailSealerOf(database, config, values)
    const made = await makePasswordLink({ storage, clock, dashboardUrl: config.baseUrl.origin, mailSealer }, address)
    const { email, link } = made
    if (password !== undefined) {
      await usePasswordLink({ storage, clock }, link, password)
      if (values.json) return terminal.printJson({ email })
      return terminal.print(`Changed the password of ${email}; every session has ended.`)
    }
    if (values.json) return terminal.printJson(mailSealer ? { email, mailed: true } : { email, mailed: false, link })
    if (mailSealer) return terminal.print(wasMailed(email))
    terminal.print(`${email} chooses a new password here, once, within a day:\n\n  ${link}`)
  },
})
