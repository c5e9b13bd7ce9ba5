import { CommandError, defineCommand } from '../line/command.ts'
import { json, project } from '../line/options.ts'
import { nextCommand, openServer, serverOptions } from '../remote/server.ts'

export const command = defineCommand({
  about:
    'Removes somebody from a project. The keys and tokens that they have made end, unless another takes them over.',
  arguments: [{ name: 'EMAIL', help: 'the member' }],
  options: {
    project: { ...project, required: true },
    'keys-to': { type: 'string', value: 'EMAIL', help: 'the member who takes over the keys and tokens' },
    ...serverOptions,
    json,
  },
  examples: [
    'petstore members remove ada@example.com --project kennel',
    'petstore members remove ada@example.com --project kennel --keys-to grace@example.com',
  ],
  async run({ values, arguments: [email], terminal }) {
    const server = openServer(values)
    const { project: slug, 'keys-to': heir } = values
    const members = await server.call('GET /projects/{project}/members', { project: slug })
    const idOf = (address: string) => {
      const found = members.find((member) => member.email.toLowerCase() === address.toLowerCase())
      if (found) return found.id
      const list = nextCommand(values, `members list --project ${slug}`)
      throw new CommandError(`${address} is no member of ${slug}. List them with: ${list}`)
    }
    const query = heir === undefined ? {} : { keysTo: idOf(heir) }
    await server.call('DELETE /projects/{project}/members/{account}', { project: slug, account: idOf(email), query })
    if (values.json) return terminal.printJson({ project: slug, email })
    terminal.print(`${email} is no member of ${slug} any more.`)
  },
})
