// Plain JavaScript, because a thread that has to strip types takes 13 MB more: behind this file they are taken from the
// cache that the first start has filled.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { resolveNeighboursAtOnce } from '../../platform/thread/neighbours.js'

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/petstore', import.meta.url)))
resolveNeighboursAtOnce()
await import('./worker.ts')
