import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '../..')

/**
 * For files that run the service in their own process and leave nothing behind: one process loads and warms up what
 * they share. By itself each took a second for that, and most take less for their tests.
 */
export function runTogether(pattern: string): void {
  for (const path of globSync(pattern, { cwd: root }).sort()) {
    describe(path, async () => {
      await import(pathToFileURL(join(root, path)).href)
    })
  }
}
