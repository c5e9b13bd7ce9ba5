import { ConnectionGate } from '../src/edge/connection-gate.ts'
import { listenTls } from '../src/edge/tls/listener.ts'
import { systemClock } from '../src/platform/clock.ts'

/** The edge's TLS port alone in a process of its own, so that its memory can be read without the client's. */
export interface Setup {
  hosts: number
  contextsMax: number
  key: string
  cert: string
}

export const hostOf = (index: number) => `p${index}.example.com`

process.once('message', ({ hosts, contextsMax, key, cert }: Setup) => {
  // Contexts are made for each certificate id, so that one key pair is enough to cost what ten thousand would.
  const ids = new Map(Array.from({ length: hosts }, (_, index) => [hostOf(index), String(index)]))
  let lookups = 0
  void listenTls('127.0.0.1', 0, {
    clock: systemClock,
    async certificateFor(host) {
      lookups++
      const id = ids.get(host)
      return id === undefined ? undefined : { id, key, cert }
    },
    handle: (_request, response) => response.end('ok'),
    contexts: { hostsMax: contextsMax },
    gate: new ConnectionGate({ perNetworkMax: 10_000 }),
  }).then(({ port }) => {
    process.on('message', () => process.send?.({ lookups }))
    process.send?.({ port })
  })
})
