import { ROLES } from '../line/choices.ts'
import { defineCommand } from '../line/command.ts'
import { json, project } from '../line/options.ts'
import { openServer, serverOptions } from '../remote/server.ts'

export const command = defineCommand({
  about: 'Invites somebody to a project, with or without an account. The link is mailed where the service sends mail.',
  arguments: [{ name: 'EMAIL', help: 'whom to invite' }],
  options: {
    project: { ...project, required: true },
    role: { type: 'string', choices: ROLES, help: 'what the member may do; editor unless told' },
    ...serverOptions,
    json,
  },
  examples: [
    'petstore members invite ada@example.com --project kennel',
    'petstore members invite ada@example.com --project kennel --role owner --json',
  ],
  async run({ values, arguments: [email], terminal }) {
    const body = { email, role: values.role ?? 'editor' }
    const given = { project: values.project, body }
    const invitation = await openServer(values).call('POST /projects/{project}/invitations', given)
    if (values.json) return terminal.printJson({ project: values.project, ...invitation })
    const mailed = invitation.mail === null ? 'Give them this link' : 'The link has been mailed to them as well'
    terminal.print(`${email} can become ${body.role} of ${values.project}. ${mailed}:\n\n  ${invitation.link}`)
  },
})
