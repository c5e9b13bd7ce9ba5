import type { EventType } from '../../../client/src/platform/platform.ts'
import { defineCommand } from '../line/command.ts'
import { json, project } from '../line/options.ts'
import { serverOptions, openServer } from '../remote/server.ts'

export const command = defineCommand({
  about: 'Adds an endpoint for the events of a project, and prints the secret that signs them, this once.',
  arguments: [{ name: 'URL', help: 'where events are sent to, such as https://example.com/hooks' }],
  options: {
    project: { ...project, required: true },
    name: { type: 'string', value: 'NAME', help: 'what listens there' },
    events: { type: 'string', value: 'EVENTS', help: 'only these, such as pet.created,order.created' },
    ...serverOptions,
    json,
  },
  examples: ['petstore webhooks create https://example.com/hooks --project kennel --events pet.created'],
  async run({ values, arguments: [url], terminal }) {
    const events = values.events?.split(',').map((type) => type.trim() as EventType)
    const created = await openServer(values).call('POST /projects/{project}/webhooks', {
      project: values.project,
      body: { url, ...(values.name === undefined ? {} : { name: values.name }), ...(events ? { events } : {}) },
    })
    if (values.json) return terminal.printJson({ project: values.project, ...created })
    terminal.print(`${terminal.style('bold', created.secret)}

Keep it now: it cannot be shown again.
  id      ${created.id}
  url     ${created.url}
  events  ${created.events.join(', ')}`)
  },
})
