import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { switchProtocols } from '../../../../test/harness/switch-protocols.ts'
import { systemClock } from '../../../platform/clock.ts'
import { createInternalCa, createRoot } from '../authority/internal-ca.ts'
import { lookAtEdge } from './look.ts'

test('whoever stands where the edge should, and switches protocols, is seen with its certificate', async () => {
  const ca = createInternalCa({ clock: systemClock }, { root: await createRoot({ clock: systemClock }) })
  const { chainPem, privateKeyPem } = await ca.issue(['www.example.test'])
  const server = createServer({ cert: chainPem, key: privateKeyPem }, (_, response) => switchProtocols(response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const seen = await lookAtEdge({ address: '127.0.0.1', port, publicPort: 443 }, 'www.example.test')
    assert.equal(seen.status, undefined)
    assert.notEqual(seen.certificate, undefined)
  } finally {
    server.close()
  }
})
