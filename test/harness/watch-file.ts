import { isMainThread } from 'node:worker_threads'
import { takePromiseTracking } from './untracked-promises.ts'

/** For `node --test --import`: the runner itself and the threads of the service load it too, and are not meant. */
if (process.env.NODE_TEST_CONTEXT !== undefined && isMainThread) {
  const stopTracking = takePromiseTracking()
  const { beforeEach } = await import('node:test')
  beforeEach(stopTracking)
  const { watchFile } = await import('./file-deadline.ts')
  watchFile({ testsMaxMs: 20 * 60_000, loopMaxMs: 5 * 60_000, endMaxMs: 2 * 60_000 })
}
