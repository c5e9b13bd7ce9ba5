import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies whose shape they are there to prove
  event: any
}

export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** Every request that came, in its order, whatever it was answered. */
  readonly received: Received[]
  /** Decides about each request; takes everything where it is not set. */
  answer: (request: Received, response: ServerResponse) => void
}

/** Somebody's server for webhooks, on a port that may be given again after it has ended. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8')
      const one = { path: request.url ?? '', headers: request.headers, body, event: JSON.parse(body) }
      receiver.received.push(one)
      receiver.answer(one, response)
    })
    request.on('error', () => {})
  })
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received: [],
    answer: (_, response) => void response.writeHead(204).end(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
