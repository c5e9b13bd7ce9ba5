import { FAULT_KINDS } from '../line/choices.ts'
import { defineCommand } from '../line/command.ts'
import { nextCommand, openServer } from '../remote/server.ts'
import { nameserverOption, sandboxOptions } from './zones.ts'

export const command = defineCommand({
  about: `Lets a zone of the sandbox misbehave, to rehearse what goes wrong in real DNS. The fault lasts until it is
removed with petstore sandbox dns remove ID.`,
  arguments: [
    { name: 'ZONE', help: 'the zone, as petstore sandbox dns list shows it' },
    { name: 'KIND', help: 'what goes wrong', choices: FAULT_KINDS },
  ],
  options: {
    name: { type: 'string', value: 'NAME', help: 'only questions about this name' },
    type: { type: 'string', value: 'TYPE', help: 'only questions of this type, such as CAA' },
    nameserver: nameserverOption,
    ...sandboxOptions,
  },
  examples: [
    'petstore sandbox dns fault example.test servfail',
    'petstore sandbox dns fault example.test drop --type CAA --nameserver ns2.registrar.test',
  ],
  async run({ values, arguments: [zone, kind], terminal }) {
    const { name, type, nameserver } = values
    const fault = await openServer(values).call('POST /sandbox/zones/{apex}/faults', {
      apex: zone,
      body: {
        kind,
        ...(name === undefined ? {} : { name }),
        ...(type === undefined ? {} : { type: type.toUpperCase() }),
        ...(nameserver === undefined ? {} : { onlyOn: nameserver }),
      },
    })
    if (values.json) return terminal.printJson({ zone, ...fault })
    const end = nextCommand(values, `sandbox dns remove ${fault.id}`)
    terminal.print(`${zone} answers with the fault ${fault.kind} now. End it with: ${end}`)
  },
})
