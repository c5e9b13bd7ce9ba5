import asyncHooks, { type AsyncHook } from 'node:async_hooks'

/**
 * The runner follows every promise of the process, to find the suite that a test stands in and the test that an
 * uncaught error comes from; an `await` costs forty times as much. Hands out what ends that: the first is known once
 * tests run, and the second `watchFile` tells. To be called before anybody loads `node:test`.
 */
export function takePromiseTracking(): () => void {
  const { createHook } = asyncHooks
  let tracking: AsyncHook | undefined
  Object.assign(asyncHooks, {
    createHook: (callbacks: Parameters<typeof createHook>[0]) => (tracking = createHook(callbacks)),
  })
  return () => {
    tracking?.disable()
    Object.assign(asyncHooks, { createHook })
  }
}
