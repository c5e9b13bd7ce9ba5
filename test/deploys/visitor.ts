import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { connect } from 'node:http2'
import { request as httpsRequest } from 'node:https'

export interface Page {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

interface Asking {
  host: string
  path?: string
  method?: string
  headers?: Record<string, string>
  body?: Uint8Array | AsyncIterable<Uint8Array>
}

/** A request to loopback whose Host says whatever it is told to. */
export function askHttp(port: number, asking: Asking): Promise<Page> {
  return ask(httpRequest({ ...target(port, asking) }), asking.body)
}

export function askHttps(port: number, ca: string, asking: Asking): Promise<Page> {
  const servername = asking.host.split(':', 1)[0] as string
  return ask(httpsRequest({ ...target(port, asking), ca, servername, agent: false }), asking.body)
}

export async function askHttp2(port: number, ca: string, { host, path = '/', headers = {} }: Asking): Promise<Page> {
  const session = connect(`https://127.0.0.1:${port}`, { ca, servername: host.split(':', 1)[0] as string })
  try {
    const stream = session.request({ ...headers, ':path': path, ':authority': host })
    const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }]
    const text = Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)).toString()
    return { status: answer[':status'], headers: answer, text }
  } finally {
    session.close()
  }
}

const target = (port: number, { host, path = '/', method = 'GET', headers = {} }: Asking) => ({
  host: '127.0.0.1',
  port,
  path,
  method,
  headers: { ...headers, Host: host },
})

async function ask(request: ReturnType<typeof httpRequest>, body: Asking['body']): Promise<Page> {
  const answered = once(request, 'response') as Promise<[IncomingMessage]>
  answered.catch(() => {})
  // What is still being sent when the answer is there may find the connection closed.
  request.on('error', () => {})
  if (body === undefined || body instanceof Uint8Array) request.end(body)
  else {
    let isAnswered = false
    answered.then(
      () => (isAnswered = true),
      () => (isAnswered = true),
    )
    for await (const chunk of body) {
      if (isAnswered) break
      if (!request.write(chunk)) await Promise.race([once(request, 'drain'), answered])
    }
    request.end()
  }
  const [response] = await answered
  const text = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)).toString()
  return { status: response.statusCode as number, headers: response.headers, text }
}
