// Plain JavaScript, because it comes before the first TypeScript of a process or thread.
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'

const root = new URL('../../../', import.meta.url)
const sources = ['src', 'cli/src', 'client/src'].map((folder) => new URL(`${folder}/`, root).href)
/** All modules of kysely in one (scripts/join-kysely.js): to load them one by one takes a tenth of a second. */
const kysely = new URL('node_modules/kysely/dist/joined.js', root)

/**
 * What a module of ours calls by its place beside itself is there, under that name. Node would look for each on the
 * disk, for links on the way, and for the package that it belongs to: a fifth of the start. Of this thread only, so
 * that each asks for it, before anything else is loaded.
 */
export function resolveNeighboursAtOnce() {
  const hasKysely = existsSync(kysely)
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = '' } = context
      if (specifier === 'kysely' && hasKysely) return { url: kysely.href, format: 'module', shortCircuit: true }
      const isNeighbour = specifier.startsWith('.') && specifier.endsWith('.ts')
      if (!isNeighbour || !sources.some((source) => parentURL.startsWith(source))) return next(specifier, context)
      return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true }
    },
  })
}
