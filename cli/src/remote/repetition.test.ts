import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createPlatform, type PetstoreConnectionError } from '../../../client/src/platform/platform.ts'
import { isInDoubt } from './repetition.ts'

const CREATE = 'POST /projects'
const CUT: RequestListener = (request) => void request.socket.destroy()

/** How a request fails there. */
async function failureAt(scheme: 'http' | 'https', { isOpen }: { isOpen: boolean }): Promise<PetstoreConnectionError> {
  const server = createServer(CUT).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  if (!isOpen) await once(server.close(), 'close')
  try {
    const platform = createPlatform({ origin: `${scheme}://127.0.0.1:${port}`, retries: 0 })
    return await platform.call(CREATE, { body: { slug: 'kennel' } }).then(
      () => assert.fail('It was answered.'),
      (error: unknown) => error as PetstoreConnectionError,
    )
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('what adds something is in doubt once it was sent, and what may come twice never', async () => {
  const lost = await failureAt('http', { isOpen: true })
  assert.equal(isInDoubt(CREATE, lost), true)
  for (const operation of [
    'GET /projects',
    'PUT /operator/projects/{slug}/plan',
    'DELETE /projects/{project}/keys/{key}',
    'POST /projects/{project}/environments/{environment}/imports/{sha256}',
    'POST /projects/{project}/deploys',
    'POST /projects/{project}/domains/{hostname}/verify',
    'POST /projects/{project}/listeners/{listener}/messages/{message}',
  ]) {
    assert.equal(isInDoubt(operation, lost), false, operation)
  }
})

test('nothing is in doubt where no connection was made', async () => {
  const refused = await failureAt('http', { isOpen: false })
  const noTls = await failureAt('https', { isOpen: true })
  assert.deepEqual([isInDoubt(CREATE, refused), isInDoubt(CREATE, noTls)], [false, false])
})
