import assert from 'node:assert/strict'
import type { ServiceProcess } from '../harness/service-process.ts'
import { until } from '../harness/until.ts'

/** The one form in which storage trouble may show: 503, the contract's Error body and nothing else, `Retry-After`. */
export async function assertUnavailable(response: Response): Promise<void> {
  const text = await response.text()
  assert.equal(response.status, 503, text)
  assert.equal(response.headers.get('Content-Type'), 'application/json')
  assert.match(response.headers.get('Retry-After') ?? '', /^[1-9]\d*$/)
  const body = JSON.parse(text) as Record<string, unknown>
  assert.deepEqual(Object.keys(body), ['code', 'message', 'status'])
  assert.equal(body.code, 'unavailable')
  assert.equal(body.status, 503)
  assert.match(body.message as string, /send (?:the request|it) again/i)
  assert.doesNotMatch(text, /sqlite|postgres|errno|ENOSPC|\/tmp/i, 'internals stay inside')
}

/** Asks again and again until the answer has the status. */
export async function untilStatus(status: number, ask: () => Promise<Response>): Promise<Response> {
  let response: Response | undefined
  await until(`the answer is ${status}`, async () => {
    // A body that nobody reads holds its connection.
    await response?.body?.cancel()
    response = await ask()
    return response.status === status
  })
  return response as Response
}

export function createPet(
  service: Pick<ServiceProcess, 'call'>,
  name: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return service.call('/pets', { method: 'POST', body: { name, categoryId: 1 }, headers })
}

export async function petNames(service: Pick<ServiceProcess, 'call'>): Promise<string[]> {
  const response = await service.call('/pets?limit=100')
  assert.equal(response.status, 200)
  return ((await response.json()) as { name: string }[]).map(({ name }) => name)
}
