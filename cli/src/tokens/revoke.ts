import { defineCommand } from '../line/command.ts'
import { json, project } from '../line/options.ts'
import { serverOptions, openServer } from '../remote/server.ts'

export const command = defineCommand({
  about: 'Revokes a token for good: the next request with it is refused.',
  arguments: [{ name: 'ID', help: 'the id of the token, as petstore tokens list shows it' }],
  options: { project: { ...project, required: true }, ...serverOptions, json },
  examples: ['petstore tokens revoke pat_0000000000000000 --project kennel'],
  async run({ values, arguments: [token], terminal }) {
    const { project } = values
    const revoked = await openServer(values).call('DELETE /projects/{project}/tokens/{token}', { project, token })
    if (values.json) return terminal.printJson({ project, ...revoked })
    terminal.print(`Revoked ${revoked.id} (${revoked.hint}, "${revoked.name}") of ${project}.`)
  },
})
