import type { SandboxZone } from '../../../client/src/platform/platform.ts'
import { columns } from '../line/columns.ts'
import { defineCommand } from '../line/command.ts'
import { openServer } from '../remote/server.ts'
import type { Terminal } from '../line/terminal.ts'
import { sandboxOptions, zonesOf } from './zones.ts'

export const command = defineCommand({
  about: `Lists the zones of the sandbox with their records and faults. The sandbox plays the DNS of an installation on
localhost: nothing outside of this machine sees it.`,
  arguments: [],
  options: sandboxOptions,
  examples: ['petstore sandbox dns list', 'petstore sandbox dns list --json'],
  async run({ values, terminal }) {
    const zones = await zonesOf(openServer(values))
    if (values.json) return terminal.printJson(zones)
    if (zones.length === 0) {
      const add = 'petstore sandbox dns add NAME TYPE VALUE --zone ZONE'
      return terminal.print(`There are no zones. Create one with its first record: ${add}`)
    }
    terminal.print(zones.map((zone) => zoneText(zone, terminal)).join('\n\n'))
  },
})

function zoneText({ apex, serial, records, faults }: SandboxZone, terminal: Terminal): string {
  const only = (nameserver: string | null) => (nameserver === null ? '' : `only on ${nameserver}`)
  const rows = [
    ...records.map(({ id, name, type, ttl, value, onlyOn }) => [id, name, type, value, String(ttl), only(onlyOn)]),
    ...faults.map(({ id, kind, name, type, onlyOn }) => [
      id,
      name ?? apex,
      type ?? 'any',
      `fault: ${kind}`,
      '',
      only(onlyOn),
    ]),
  ]
  const title = `${terminal.style('bold', apex)} (serial ${serial})`
  if (rows.length === 0) return `${title}\n  no records`
  return `${title}\n${columns([['ID', 'NAME', 'TYPE', 'VALUE', 'TTL', ''], ...rows])}`
}
