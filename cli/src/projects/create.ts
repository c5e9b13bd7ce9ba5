import { defineCommand } from '../line/command.ts'
import { json } from '../line/options.ts'
import { nextCommand, openServer, serverOptions } from '../remote/server.ts'

export const command = defineCommand({
  about: 'Creates a project of your own: it has animals, keys, deploys and domains.',
  arguments: [{ name: 'SLUG', help: 'its short name, which also becomes its subdomain' }],
  options: {
    name: { type: 'string', value: 'NAME', help: 'its name for people; the slug unless told' },
    ...serverOptions,
    json,
  },
  examples: ['petstore projects create kennel', 'petstore projects create kennel --name "The Kennel" --json'],
  async run({ values, arguments: [slug], terminal }) {
    const body = { slug, ...(values.name === undefined ? {} : { name: values.name }) }
    const created = await openServer(values).call('POST /projects', { body })
    if (values.json) return terminal.printJson(created)
    terminal.print(
      `Created project ${created.slug} on plan ${created.plan}: ${created.url}\nMint a key for it with:\n\n` +
        `  ${nextCommand(values, `keys create --project ${created.slug} --environment production`)}`,
    )
  },
})
