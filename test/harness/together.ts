import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '../..')

/** What runs in one process each, by the file of the same name in `test/together`; the longest begin first. */
export const TOGETHER = {
  'browser-domains': 'test/browser/{connect,domains,keyboard,keys,people,second-factors,troubles}.test.ts',
  'browser-shop': 'test/browser/!(connect|domains|keyboard|keys|people|second-factors|troubles).test.ts',
  units: '{src,cli/src}/**/*.test.ts',
  authorities: 'test/domains/{acme,backlog,certificates,crash,fallback,turns,two-*,unfinished}.test.ts',
  renewals: 'test/domains/{platform-*,preparation*,re*,watching*}.test.ts',
  // Waits more than it computes: others fill the processor beside it, which the files at the end would not.
  faults: 'test/faults/{database-away,instances,pgbouncer,pool,stall,start,upgrade}.test.ts',
  domains:
    'test/domains/{claims,edge,every-order,faults,guide,hostile-dns,laboratory,life,mail,served,situation}.test.ts',
  interface: 'test/interface/**/*.test.ts',
  'platform-api': 'test/platform-api/**/*.test.ts',
  commands: 'test/{commands/*,deploys/{ci,command,sending}}.test.ts',
  service:
    'test/{abuse/front-door,deploys/{instances,journey,starter,storage},edge/!(testssl),webhooks/!(campaign)}.test.ts',
  documents:
    '{client/src/**/!(published),reference/**/*,' +
    'test/{*,abuse/!(front*),campaign/!(short),docs/site,openapi/!(contract|tools)}}.test.ts',
}

/**
 * For files that run the service in their own process and leave nothing behind: one process loads and warms up what
 * they share. By itself each took a second for that, and most take less for their tests.
 */
export async function runTogether(name: keyof typeof TOGETHER): Promise<void> {
  // The runner reads the list above, and loads this later.
  const { after, before, describe } = await import('node:test')
  if (name.startsWith('browser-')) {
    const { shareBrowser } = await import('./browser.ts')
    const held = new AsyncDisposableStack()
    before(async () => void held.use(await shareBrowser()))
    after(() => held.disposeAsync())
  }
  if (name === 'authorities' || name === 'renewals' || name === 'units') {
    const { keepPebbles } = await import('./pebble.ts')
    const kept = keepPebbles()
    after(() => kept[Symbol.asyncDispose]())
  }
  for (const path of globSync(TOGETHER[name], { cwd: root }).sort()) {
    describe(path, async () => {
      await import(pathToFileURL(join(root, path)).href)
    })
  }
}
