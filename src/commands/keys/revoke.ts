import { revokeKey } from '../../features/keys/keys.ts'
import { withMaker } from '../../platform-api/member-keys.ts'
import { defineCommand } from '../../../cli/src/line/command.ts'
import { environment, json, project } from '../../../cli/src/line/options.ts'
import { openCommandStorage } from '../storage.ts'
import { ownerOfKey } from './owner.ts'

export const command = defineCommand({
  about: 'Revokes an API key for good. Running services refuse it within a second.',
  arguments: [{ name: 'ID', help: 'the id of the key, as petstore keys list shows it' }],
  options: {
    project: { ...project, help: 'refuse unless the key belongs to this project' },
    environment: { ...environment, help: 'refuse unless the key belongs to this environment' },
    json,
  },
  examples: [
    'petstore keys revoke key_0000000000000000',
    'petstore keys revoke key_0000000000000000 --project petstore --json',
  ],
  async run({ values, arguments: [id], terminal, clock }) {
    await using storage = await openCommandStorage(clock)
    const { projectId, project: slug } = await ownerOfKey(storage, id, values)
    const key = await revokeKey({ storage, clock }, projectId, id)
    const { lastUsedAt: _, ...revoked } = await withMaker(storage.read, key)
    if (values.json) return terminal.printJson({ project: slug, ...revoked })
    terminal.print(`Revoked ${revoked.id} (${revoked.hint}, "${revoked.name}") of ${slug}, ${revoked.environment}.`)
  },
})
