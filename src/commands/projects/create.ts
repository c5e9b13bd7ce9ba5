import { createProject } from '../../features/projects/projects.ts'
import { PLANS } from '../../features/projects/tables.ts'
import { defineCommand } from '../../../cli/src/line/command.ts'
import { json } from '../../../cli/src/line/options.ts'
import { openCommandStorage } from '../storage.ts'
import { withSuspension } from './with-suspension.ts'

export const command = defineCommand({
  about: 'Creates a project: it owns animals, keys, deploys and domains.',
  arguments: [{ name: 'SLUG', help: 'its short name, which also becomes its subdomain' }],
  options: {
    name: { type: 'string', value: 'NAME', help: 'its name for people; the slug unless told' },
    plan: { type: 'string', choices: PLANS, help: 'its plan; free unless told' },
    json,
  },
  examples: [
    'petstore projects create kennel',
    'petstore projects create kennel --name "The Kennel" --plan pro --json',
  ],
  async run({ values, arguments: [slug], terminal, clock }) {
    await using storage = await openCommandStorage(clock)
    const created = await createProject({ storage, clock }, { slug, name: values.name, plan: values.plan })
    if (values.json) return terminal.printJson(await withSuspension(storage, created.slug))
    terminal.print(
      `Created project ${created.slug} on plan ${created.plan}. Mint a key for it with:\n\n` +
        `  petstore keys create --project ${created.slug} --environment production`,
    )
  },
})
