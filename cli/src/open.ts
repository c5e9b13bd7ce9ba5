import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { defineCommand } from './line/command.ts'
import { json, project } from './line/options.ts'
import { serverOptions, openServer, originOf } from './remote/server.ts'

const PLACES = ['site', 'dashboard', 'docs'] as const

export const command = defineCommand({
  about: 'Opens the site of a project, its dashboard or the documentation in a browser, and prints the address.',
  arguments: [],
  options: {
    project: { ...project, help: 'the project; without it the dashboard of all' },
    what: { type: 'string', choices: PLACES, help: 'what to open; the site of a project, else the dashboard' },
    print: { type: 'boolean', help: 'only print the address' },
    ...serverOptions,
    json,
  },
  examples: [
    'petstore open --project kennel',
    'petstore open --project kennel --what dashboard',
    'petstore open --what docs --print',
  ],
  async run({ values, terminal }) {
    const address = await addressOf(values)
    if (values.json) return terminal.printJson({ address })
    terminal.print(address)
    if (!values.print && !(await openInBrowser(address))) terminal.note('No browser could be opened here.')
  },
})

interface Wanted {
  project: string | undefined
  what: (typeof PLACES)[number] | undefined
  server: string | undefined
}

async function addressOf({ project: slug, what, server }: Wanted): Promise<string> {
  const origin = originOf({ server })
  if (what === 'docs') return `${origin}/docs/`
  if (slug === undefined) return `${origin}/`
  if (what === 'dashboard') return `${origin}/projects/${encodeURIComponent(slug)}`
  return (await openServer({ server }).call('GET /projects/{project}', { project: slug })).url
}

const PROGRAMS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' }

/** The address goes to the program as an argument of its own, never through a shell. */
async function openInBrowser(address: string): Promise<boolean> {
  const child = spawn(PROGRAMS[process.platform] ?? 'xdg-open', [address], { stdio: 'ignore', detached: true })
  const isStarted = await once(child, 'spawn').then(
    () => true,
    () => false,
  )
  child.unref()
  return isStarted
}
