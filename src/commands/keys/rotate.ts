import { iso } from '../../platform/iso-date.ts'
import { DEFAULT_OVERLAP_MS, rotateKey } from '../../features/keys/keys.ts'
import { defineCommand } from '../../../cli/src/line/command.ts'
import { parseDurationMs } from '../../../cli/src/line/duration.ts'
import { environment, json, project } from '../../../cli/src/line/options.ts'
import { openCommandStorage } from '../storage.ts'
import { ownerOfKey } from './owner.ts'
import { shownOnce } from '../../../cli/src/keys/text.ts'

export const command = defineCommand({
  about: 'Mints a successor with the same rights. The old key goes on working for the overlap, so that nothing stops.',
  arguments: [{ name: 'ID', help: 'the id of the key to replace, as petstore keys list shows it' }],
  options: {
    overlap: { type: 'string', value: '24h', help: 'how long the old key goes on working; 24h unless told' },
    project: { ...project, help: 'refuse unless the key belongs to this project' },
    environment: { ...environment, help: 'refuse unless the key belongs to this environment' },
    json,
  },
  examples: [
    'petstore keys rotate key_0000000000000000',
    'petstore keys rotate key_0000000000000000 --overlap 1h --json',
  ],
  async run({ values, arguments: [id], terminal, clock }) {
    const overlapMs = values.overlap === undefined ? DEFAULT_OVERLAP_MS : parseDurationMs('overlap', values.overlap)
    await using storage = await openCommandStorage(clock)
    const { projectId, project: slug } = await ownerOfKey(storage, id, values)
    const created = await rotateKey({ storage, clock }, projectId, id, { overlapMs })
    if (values.json) return terminal.printJson({ project: slug, ...created })
    const until = iso(clock.now() + overlapMs)
    terminal.print(shownOnce(created, slug, terminal))
    terminal.print(`\nThe old key ${id} works until ${until}, or its own expiry if that is sooner.`)
  },
})
