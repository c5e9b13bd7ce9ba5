import { defineCommand } from '../line/command.ts'
import { json, project } from '../line/options.ts'
import { openServer, serverOptions } from '../remote/server.ts'

export const command = defineCommand({
  about: 'Revokes an API key for good: the next request with it is refused.',
  arguments: [{ name: 'ID', help: 'the id of the key, as petstore keys list shows it' }],
  options: { project: { ...project, required: true }, ...serverOptions, json },
  examples: ['petstore keys revoke key_0000000000000000 --project kennel'],
  async run({ values, arguments: [key], terminal }) {
    const { project: slug } = values
    const revoked = await openServer(values).call('DELETE /projects/{project}/keys/{key}', { project: slug, key })
    if (values.json) return terminal.printJson({ project: slug, ...revoked })
    terminal.print(`Revoked ${revoked.id} (${revoked.hint}, "${revoked.name}") of ${slug}, ${revoked.environment}.`)
  },
})
