import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { TestPetstore } from './petstore.ts'

const DAY_MS = 86_400_000
const json = (body: object) => JSON.stringify(body)
const refusing = (status: number, code: string, headers: Record<string, string>) => (response: ServerResponse) =>
  response
    .writeHead(status, { 'Content-Type': 'application/json', ...headers })
    .end(json({ code, message: 'Later.', status }))
const later = (headers: Record<string, string>) => refusing(503, 'unavailable', headers)
const page = (status: number) => (response: ServerResponse) =>
  response.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>Welcome</h1>')
/** By a clock that is years behind, so that only the difference counts. */
const dated = (delayMs: number) =>
  later({ Date: new Date(0).toUTCString(), 'Retry-After': new Date(delayMs).toUTCString() })

/** What is said instead of asking the service. */
const INSTEAD = {
  silent: () => {},
  unavailable: later({ 'Retry-After': '0' }),
  'too many': refusing(429, 'rate_limited', { 'Retry-After': '0' }),
  'in a second': later({ 'Retry-After': '1' }),
  'in a day': later({ 'Retry-After': '86400' }),
  'at a date': dated(1000),
  'at a far date': dated(DAY_MS),
  html: page(404),
  welcome: page(200),
  'bad gateway': page(502),
  'other json': (response: ServerResponse) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(json({ hello: 'world' })),
} satisfies Record<string, (response: ServerResponse) => unknown>

/** What becomes of the service's answer. */
const AFTERWARDS = {
  pass(response: ServerResponse, { statusCode = 500, headers }: IncomingMessage, body: Buffer) {
    response.writeHead(statusCode, headers).end(body)
  },
  /** The database did not say what became of it. */
  unconfirmed: later({ 'Retry-After': '0', 'Petstore-Outcome': 'unknown' }),
  /** Another proxy did not wait for it. */
  'given up': page(503),
  cut: (response: ServerResponse) => response.destroy(),
  'cut body'(response: ServerResponse, { statusCode = 500, headers }: IncomingMessage, body: Buffer) {
    response.writeHead(statusCode, headers).write(body.subarray(0, 1), () => response.destroy())
  },
  /** Half of it, which says that it is all. */
  'cut json'(response: ServerResponse, { statusCode = 500, headers }: IncomingMessage, body: Buffer) {
    const half = body.subarray(0, body.length / 2)
    response.writeHead(statusCode, { ...headers, 'content-length': half.length }).end(half)
  },
  stalled(response: ServerResponse, { statusCode = 500, headers }: IncomingMessage, body: Buffer) {
    response.writeHead(statusCode, headers).write(body.subarray(0, 1))
  },
}

/** Holds answers back until as many have come as are wanted, and gives the last one first. */
function reversing(): (give: () => void, wanted: number) => void {
  const held: (() => void)[] = []
  return (give, wanted) => {
    held.unshift(give)
    if (held.length === wanted) for (const next of held.splice(0)) next()
  }
}

/** Kept apart, because it needs the question. */
function followedByItself(response: ServerResponse, url: string, body: Buffer): void {
  const headers = { 'Content-Type': 'application/json', Link: `<http://lie.example${url}>; rel="next"` }
  response.writeHead(200, headers).end(body)
}

export type Fault = keyof typeof INSTEAD | keyof typeof AFTERWARDS | 'followed by itself' | 'last first'

/** Stands between client and service: cuts, stalls, lies and reorders, a fault for each request; then all pass. */
export async function startFaultyProxy(shop: TestPetstore, faults: readonly Fault[]) {
  const urls: string[] = []
  const traceparents: unknown[] = []
  const reverse = reversing()
  const reordered = faults.filter((fault) => fault === 'last first').length
  const server = createServer((request, response) => {
    const fault = faults[urls.length] ?? 'pass'
    urls.push(request.url as string)
    traceparents.push(request.headers.traceparent)
    if (fault in INSTEAD) return void INSTEAD[fault as keyof typeof INSTEAD](response)
    const { method, headers, url } = request
    const { port } = shop.config.baseUrl
    const onward = forward({ host: '127.0.0.1', port, path: url, method, headers, agent: false })
    onward.on('response', async (answer: IncomingMessage) => {
      const body = Buffer.concat(await answer.toArray())
      if (fault === 'followed by itself') followedByItself(response, url as string, body)
      else if (fault === 'last first') reverse(() => AFTERWARDS.pass(response, answer, body), reordered)
      else AFTERWARDS[fault as keyof typeof AFTERWARDS](response, answer, body)
    })
    request.pipe(onward)
  })
  // A connection that is closed for its idleness while a request is on its way would be one fault more.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    origin: `http://127.0.0.1:${port}`,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    urls,
    traceparents,
    get requests() {
      return urls.length
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
