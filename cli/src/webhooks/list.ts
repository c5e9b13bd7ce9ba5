import { columns } from '../line/columns.ts'
import { defineCommand } from '../line/command.ts'
import { moment } from '../line/moment.ts'
import { json, project } from '../line/options.ts'
import { nextCommand, openServer, serverOptions } from '../remote/server.ts'

export const command = defineCommand({
  about: 'Lists where the events of a project are sent to.',
  arguments: [],
  options: { project: { ...project, required: true }, ...serverOptions, json },
  examples: ['petstore webhooks list --project kennel', 'petstore webhooks list --project kennel --json'],
  async run({ values, terminal }) {
    const { project: slug } = values
    const webhooks = await openServer(values).call('GET /projects/{project}/webhooks', { project: slug })
    if (values.json) return terminal.printJson(webhooks)
    if (webhooks.length === 0) {
      return terminal.print(`Nobody is told. Add an endpoint with: ${nextCommand(values, 'webhooks create')}`)
    }
    const rows = webhooks.map(({ id, state, offReason, url, events, lastDeliveredAt }) => [
      id,
      offReason === null ? state : `${state} (${offReason})`,
      String(events.length),
      moment(lastDeliveredAt, 'never'),
      url,
    ])
    terminal.print(columns([['ID', 'STATE', 'EVENTS', 'LAST DELIVERED', 'URL'], ...rows]))
  },
})
