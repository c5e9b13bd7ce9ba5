import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { ConnectionGate } from './connection-gate.ts'
import { listen } from './http-listener.ts'

const CLIENTS = 5
/** Later than the first look at idle connections. */
const PAUSE_MS = 500

/**
 * Clients in a thread of their own, so that they can send while the server's has no time. Each step ends with a word
 * in shared memory, for which the server may wait without turning its event loop.
 */
const CLIENT = `
  const { connect } = require('node:net')
  const { parentPort, workerData: { port, clients, said } } = require('node:worker_threads')
  const received = []
  let sockets = []
  const tell = () => { Atomics.store(said, 0, 1); Atomics.notify(said, 0) }
  const open = (index, then) => {
    received[index] = ''
    const socket = connect(port, '127.0.0.1', then)
    socket.on('data', (data) => (received[index] += data)).on('error', (error) => (received[index] += error.code))
    socket.on('close', () => {
      sockets = sockets.filter((other) => other !== socket)
      if (sockets.length === 0) parentPort.postMessage(received)
    })
    sockets.push(socket)
    return socket
  }
  let due = 0
  const one = () => --due === 0 && tell()
  const steps = {
    open: () => { due = clients; for (let i = 0; i < clients; i++) open(i, one) },
    ask: () => {
      due = clients
      for (const socket of sockets) socket.write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n', one)
    },
    openAndAsk: () => {
      due = clients
      for (let i = 0; i < clients; i++) {
        const socket = open(i, () => socket.write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n', one))
      }
    },
  }
  parentPort.on('message', (step) => steps[step]())
`

async function startClients(port: number) {
  const said = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(CLIENT, { eval: true, workerData: { port, clients: CLIENTS, said } })
  await once(worker, 'online')
  return {
    step: (name: string) => {
      said[0] = 0
      worker.postMessage(name)
    },
    /** Holds this thread, and with it the server, until the clients have done their step, and a while longer. */
    block(leastMs = 0) {
      assert.notEqual(Atomics.wait(said, 0, 0, 60_000), 'timed-out')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, leastMs)
    },
    async done() {
      await until(() => said[0] === 1)
    },
    async received(): Promise<string[]> {
      const [answers] = (await once(worker, 'message')) as [string[]]
      await worker.terminate()
      return answers
    },
  }
}

const start = () =>
  listen('127.0.0.1', 0, { gate: new ConnectionGate(), handle: (_, response) => response.end('served') })

const until = async (holds: () => boolean) => {
  while (!holds()) await turn()
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('connections that wait to be accepted when a port closes are served', async () => {
  const listener = await start()
  const clients = await startClients(listener.port)
  const received = clients.received()
  clients.step('openAndAsk')
  clients.block()
  await listener[Symbol.asyncDispose]()
  for (const answer of await received) assert.match(answer, /^HTTP\/1\.1 200 [^]*served$/)
})

test('requests that lie unread when idle connections are closed are answered', async () => {
  const listener = await start()
  const clients = await startClients(listener.port)
  const received = clients.received()
  clients.step('open')
  await clients.done()
  const drained = listener[Symbol.asyncDispose]()
  await listener.stopAccepting()
  await turn()
  clients.step('ask')
  clients.block(PAUSE_MS)
  await drained
  for (const answer of await received) assert.match(answer, /^HTTP\/1\.1 200 [^]*Connection: close[^]*served$/)
})
