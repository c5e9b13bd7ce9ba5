// Plain JavaScript, because it comes before the first TypeScript of a process or thread.
import { registerHooks } from 'node:module'

const sources = ['src', 'cli/src', 'client/src'].map((folder) => new URL(`../../../${folder}/`, import.meta.url).href)

/**
 * What a module calls by its place beside itself is there, under that name: our own files, and the 255 of kysely. Node
 * would look for each on the disk, for links on the way, and for the package that it belongs to: a fifth of the start.
 * Of this thread only, so that each asks for it.
 */
export function resolveNeighboursAtOnce() {
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = '' } = context
      const format =
        specifier.endsWith('.ts') && sources.some((source) => parentURL.startsWith(source))
          ? 'module-typescript'
          : parentURL.includes('/node_modules/kysely/dist/') && specifier.endsWith('.js')
            ? 'module'
            : undefined
      if (format === undefined || !specifier.startsWith('.')) return next(specifier, context)
      return { url: new URL(specifier, parentURL).href, format, shortCircuit: true }
    },
  })
}
