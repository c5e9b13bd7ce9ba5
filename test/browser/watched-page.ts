import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

export interface Watched {
  /** Fails when the page has written an error, broken a policy, or asked anybody but its own origin. */
  assertQuiet(): void
}

/** Notes everything that a person would not see and should not have to. */
export function watch(page: Page, origin: string, expectedErrors: RegExp = /^$/): Watched {
  const troubles: string[] = []
  const outside: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      troubles.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) outside.push(request.url())
  })
  return {
    assertQuiet() {
      // The browser itself writes a line for every refused request; refusals are shown to people by the page.
      const unexpected = troubles.filter((text) => !REFUSED.test(text) && !expectedErrors.test(text))
      assert.deepEqual(unexpected, [])
      assert.deepEqual(outside, [])
    },
  }
}

const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/
