import { createServer } from 'node:http'

/**
 * The yardstick: a bare node:http server that writes the same bytes as the service, and does nothing else.
 * It reads the bodies of requests, because a server that does not cannot keep its connections.
 */
export interface BareAnswer {
  method: string
  /** Given to whatever begins so; the first that fits. */
  path: string
  status: number
  headers: string[]
  body: string
}

interface BareOptions {
  port: number
  answers: BareAnswer[]
  /** What a handler that does something would take for each request. */
  burnUs: number
}

const { port, answers, burnUs } = JSON.parse(process.argv[2] as string) as BareOptions

const server = createServer((request, response) => {
  const { method, url = '' } = request
  if (burnUs > 0) for (const end = performance.now() + burnUs / 1000; performance.now() < end;);
  const answer = answers.find((one) => one.method === method && url.startsWith(one.path)) as BareAnswer
  if (method === 'GET') response.writeHead(answer.status, answer.headers).end(answer.body, 'latin1')
  else {
    request.resume()
    request.on('end', () => response.writeHead(answer.status, answer.headers).end(answer.body, 'latin1'))
  }
})
server.listen(port, '127.0.0.1', () => console.log('listening'))
process.on('SIGTERM', () => process.exit(0))
