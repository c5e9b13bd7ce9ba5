import assert from 'node:assert/strict'
import type { ConsoleMessage, Page, Request } from 'playwright-core'

export interface Watched {
  /** Fails when the page has written an error, broken a policy, or asked anybody but its own origin. */
  assertQuiet(): void
  /** Notes nothing more. */
  stop(): void
}

/** Notes everything that a person would not see and should not have to. */
export function watch(page: Page, origin: string, expectedErrors: RegExp = /^$/): Watched {
  const troubles: string[] = []
  const outside: string[] = []
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() === 'error' || message.type() === 'warning')
      troubles.push(`${message.text()} ${message.location().url}`)
  }
  const onError = (error: Error) => void troubles.push(error.message)
  const onRequest = (request: Request) => {
    if (!request.url().startsWith(`${origin}/`)) outside.push(request.url())
  }
  page.on('console', onConsole).on('pageerror', onError).on('request', onRequest)
  return {
    assertQuiet() {
      // The browser itself writes a line for every refused request; refusals are shown to people by the page.
      const unexpected = troubles.filter((text) => !REFUSED.test(text) && !expectedErrors.test(text))
      assert.deepEqual(unexpected, [])
      assert.deepEqual(outside, [])
    },
    stop: () => void page.off('console', onConsole).off('pageerror', onError).off('request', onRequest),
  }
}

const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/
