import { CommandError, defineCommand } from '../line/command.ts'
import { nextCommand, openServer } from '../remote/server.ts'
import { sandboxOptions, zonesOf } from './zones.ts'

export const command = defineCommand({
  about: 'Removes a record, a fault or a whole zone from the DNS of the sandbox.',
  arguments: [{ name: 'ID', help: 'a record, a fault or a zone, as petstore sandbox dns list names it' }],
  options: sandboxOptions,
  examples: ['petstore sandbox dns remove rec_0000000000000000', 'petstore sandbox dns remove my-shop.test --json'],
  async run({ values, arguments: [id], terminal }) {
    const server = openServer(values)
    for (const { apex, records, faults } of await zonesOf(server)) {
      if (apex === id) await server.call('DELETE /sandbox/zones/{apex}', { apex })
      else if (records.some((record) => record.id === id)) {
        await server.call('DELETE /sandbox/zones/{apex}/records/{record}', { apex, record: id })
      } else if (faults.some((fault) => fault.id === id)) {
        await server.call('DELETE /sandbox/zones/{apex}/faults/{fault}', { apex, fault: id })
      } else continue
      return values.json ? terminal.printJson({ zone: apex, removed: id }) : terminal.print(`Removed ${id}.`)
    }
    const list = nextCommand(values, 'sandbox dns list')
    throw new CommandError(`There is no "${id}" in the sandbox. List what there is with: ${list}`)
  },
})
