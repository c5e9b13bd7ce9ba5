import { defineCommand, UsageError } from '../line/command.ts'
import { type Server, openServer } from '../remote/server.ts'
import { nameserverOption, sandboxOptions, zoneFor, zonesOf } from './zones.ts'

export const command = defineCommand({
  about: 'Adds a record to the DNS of the sandbox, as one would at a registrar.',
  arguments: [
    { name: 'NAME', help: 'the name in full, such as www.example.test' },
    { name: 'TYPE', help: 'CNAME, ALIAS, A, AAAA, TXT, CAA, MX or NS' },
    { name: 'VALUE', help: 'the value of the record, quoted where it has spaces' },
  ],
  options: {
    ttl: { type: 'string', value: 'SECONDS', help: 'how long caches may keep it; 3600 unless told' },
    zone: { type: 'string', value: 'ZONE', help: 'the zone that holds it; created where it does not exist' },
    nameserver: nameserverOption,
    ...sandboxOptions,
  },
  examples: [
    'petstore sandbox dns add www.example.test CNAME 3f2a….localhost',
    `petstore sandbox dns add my-shop.test CAA '0 issue "ca.example"'`,
    'petstore sandbox dns add www.rehearsal.test A 192.0.2.1 --zone rehearsal.test --ttl 60',
  ],
  async run({ values, arguments: [name, type, value], terminal }) {
    const server = openServer(values)
    const { zone } = values
    const apex = zone ? await ensureZone(server, zone) : zoneFor(await zonesOf(server), name).apex
    const record = await server.call('POST /sandbox/zones/{apex}/records', {
      apex,
      body: {
        // A dot at the end says that the name is whole.
        name: name.endsWith('.') ? name : `${name}.`,
        type: type.toUpperCase(),
        value,
        ...(values.ttl === undefined ? {} : { ttl: secondsOf(values.ttl) }),
        ...(values.nameserver === undefined ? {} : { onlyOn: values.nameserver }),
      },
    })
    if (values.json) return terminal.printJson({ zone: apex, ...record })
    terminal.print(`Added to ${apex}: ${record.name} ${record.ttl} ${record.type} ${record.value} (${record.id})`)
  },
})

async function ensureZone(server: Server, typed: string): Promise<string> {
  const apex = typed.toLowerCase().replace(/\.$/, '')
  const zones = await zonesOf(server)
  if (!zones.some((zone) => zone.apex === apex)) await server.call('POST /sandbox/zones', { body: { apex } })
  return apex
}

function secondsOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`--ttl is "${text}", but must be a number of seconds.`)
}
