import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { freePorts } from '../../test/harness/free-ports.ts'
import { until } from '../../test/harness/until.ts'
import { systemClock } from '../platform/clock.ts'
import { ConnectionGate } from './connection-gate.ts'
import { openHttpListeners, openTlsListeners } from './listeners.ts'

test('one network holds so many connections over all ports together: plain, staging and TLS', async () => {
  const [production, staging, httpsPort] = (await freePorts(3)) as [number, number, number]
  const rules = {
    baseUrl: new URL(`http://localhost:${production}/v1`),
    stagingUrl: new URL(`http://localhost:${staging}/v1`),
    platformHost: 'localhost',
    listenOn: ['127.0.0.1'],
    httpPort: undefined,
    httpsPort,
    trustedProxies: undefined,
  }
  const door = { gate: new ConnectionGate({ perNetworkMax: 3 }), handle: () => {} }
  await using listeners = new AsyncDisposableStack()
  const opened = [
    ...(await openHttpListeners(rules, door)),
    ...(await openTlsListeners(rules, door, { clock: systemClock, certificateFor: async () => undefined })),
  ]
  for (const listener of opened) listeners.use(listener)
  const open = (port: number, from = '127.0.0.2') => connect({ port, host: '127.0.0.1', localAddress: from })
  const held = [open(production), open(staging), open(httpsPort)]
  await Promise.all(held.map((socket) => once(socket, 'connect')))
  await until('all of them are counted', () => door.gate.size === 3)

  for (const port of [production, staging, httpsPort])
    await once(
      open(port)
        .on('error', () => {})
        .resume(),
      'close',
    )
  const neighbour = open(production, '127.0.0.3')
  await until('another network is let in', () => door.gate.size === 4)
  for (const socket of [...held, neighbour]) socket.destroy()
})
