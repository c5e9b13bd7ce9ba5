import { defineCommand } from '../line/command.ts'
import { json } from '../line/options.ts'
import { openServer, serverOptions } from '../remote/server.ts'

export const command = defineCommand({
  about: 'Invites somebody to open an account, as the operator of the platform.',
  arguments: [{ name: 'EMAIL', help: 'whom to invite' }],
  options: { ...serverOptions, json },
  examples: ['petstore users invite ada@example.com'],
  async run({ values, arguments: [email], terminal }) {
    const invitation = await openServer(values).call('POST /operator/invitations', { body: { email } })
    if (values.json) return terminal.printJson(invitation)
    const mailed = invitation.mail === null ? 'Give them this link' : 'The link has been mailed to them as well'
    terminal.print(`${email} can open an account. ${mailed}:\n\n  ${invitation.link}`)
  },
})
