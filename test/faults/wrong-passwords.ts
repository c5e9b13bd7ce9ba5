import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'

/** What one network may get wrong in one go, and how long until one more. */
const BURST = 20
const REFILL_MS = 15_000

/** Guesses twice as often as one network may, each on a connection of its own, at one origin after the other. */
export async function assertGuessesCountTogether(origins: readonly string[]): Promise<void> {
  const startedAt = performance.now()
  let lookedAt = 0
  for (let count = 0; count < 2 * BURST; count++) {
    const status = await guess(origins[count % origins.length] as string)
    assert.ok(status === 401 || status === 429, String(status))
    if (status === 401) lookedAt++
  }
  const comeBack = Math.floor((performance.now() - startedAt) / REFILL_MS)
  assert.ok(lookedAt >= BURST && lookedAt <= BURST + comeBack, `${lookedAt} looked at, of which ${comeBack} came back`)
}

async function guess(origin: string): Promise<number | undefined> {
  const headers = { Origin: origin, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' }
  const asked = request(`${origin}/platform/v1/sign-in`, { method: 'POST', agent: false, headers })
  asked.end(JSON.stringify({ email: `${crypto.randomUUID()}@example.com`, password: 'a wrong password' }))
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return response.resume().statusCode
}
