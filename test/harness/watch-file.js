// Plain JavaScript: threads of the service load it too, and each would load what reads TypeScript first.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

/** For `node --test --import`: neither the runner itself nor the threads of the service are meant. */
if (process.env.NODE_TEST_CONTEXT !== undefined && isMainThread) {
  // Not where the service has its own: what V8 compiles with other flags it compiles anew, and keeps in its place.
  enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/petstore-tests', import.meta.url)))
  const { resolveNeighboursAtOnce } = await import('../../src/platform/thread/neighbours.js')
  resolveNeighboursAtOnce()
  const { takePromiseTracking } = await import('./untracked-promises.ts')
  const stopTracking = takePromiseTracking()
  const { beforeEach } = await import('node:test')
  beforeEach(stopTracking)
  const { watchFile } = await import('./file-deadline.ts')
  watchFile({ testsMaxMs: 20 * 60_000, loopMaxMs: 5 * 60_000, endMaxMs: 2 * 60_000 })
}
