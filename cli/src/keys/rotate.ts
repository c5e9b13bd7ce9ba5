import { defineCommand, UsageError } from '../line/command.ts'
import { HOUR_MS, parseDurationMs } from '../line/duration.ts'
import { json, project } from '../line/options.ts'
import { openServer, serverOptions } from '../remote/server.ts'
import { shownOnce } from './text.ts'

export const command = defineCommand({
  about: 'Mints a successor with the same rights. The old key goes on working for the overlap, so that nothing stops.',
  arguments: [{ name: 'ID', help: 'the id of the key to replace, as petstore keys list shows it' }],
  options: {
    project: { ...project, required: true },
    overlap: { type: 'string', value: '24h', help: 'how long the old key goes on working; 24h unless told' },
    ...serverOptions,
    json,
  },
  examples: [
    'petstore keys rotate key_0000000000000000 --project kennel',
    'petstore keys rotate key_0000000000000000 --project kennel --overlap 1h --json',
  ],
  async run({ values, arguments: [key], terminal }) {
    const overlapHours = parseDurationMs('overlap', values.overlap ?? '24h') / HOUR_MS
    if (!Number.isInteger(overlapHours)) {
      throw new UsageError(`--overlap is "${values.overlap}", but must be whole hours, such as 24h or 2d.`)
    }
    const { project: slug } = values
    const given = { project: slug, key, body: { overlapHours } }
    const created = await openServer(values).call('POST /projects/{project}/keys/{key}/rotate', given)
    if (values.json) return terminal.printJson({ project: slug, ...created })
    terminal.print(shownOnce(created, slug, terminal))
    terminal.print(`\nThe old key ${key} works for ${overlapHours} h more, or until its own expiry if that is sooner.`)
  },
})
