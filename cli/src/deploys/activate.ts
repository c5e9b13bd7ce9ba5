import { defineCommand } from '../line/command.ts'
import { json, project } from '../line/options.ts'
import { openServer, serverOptions } from '../remote/server.ts'

export const command = defineCommand({
  about: 'Shows a deploy: one that was kept for a preview, or an earlier one, which is a roll-back.',
  arguments: [{ name: 'ID', help: 'the deploy, as petstore deploys list shows it' }],
  options: { project: { ...project, required: true }, ...serverOptions, json },
  examples: ['petstore deploys activate dep_0000000000000000 --project kennel'],
  async run({ values, arguments: [deploy], terminal }) {
    const given = { project: values.project, deploy }
    const shown = await openServer(values).call('POST /projects/{project}/deploys/{deploy}/activate', given)
    if (values.json) return terminal.printJson(shown)
    terminal.print(
      `${values.project} shows ${shown.id} now (${shown.files === 1 ? '1 file' : `${shown.files} files`}).`,
    )
  },
})
