import { createServer } from 'node:http'

/**
 * The yardstick: a bare node:http server that writes the same bytes as the service, and does nothing else.
 * It reads the bodies of requests, because a server that does not cannot keep its connections.
 */
const { port, answers } = JSON.parse(process.argv[2] as string) as {
  port: number
  answers: Record<string, { status: number; headers: string[]; body: string }>
}

const server = createServer((request, response) => {
  const { status, headers, body } =
    answers[`${request.method} ${request.url}`] ?? (answers['*'] as (typeof answers)[string])
  if (request.method === 'GET') response.writeHead(status, headers).end(body, 'latin1')
  else {
    request.resume()
    request.on('end', () => response.writeHead(status, headers).end(body, 'latin1'))
  }
})
server.listen(port, '127.0.0.1', () => console.log('listening'))
process.on('SIGTERM', () => process.exit(0))
