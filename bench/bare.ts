import { createServer } from 'node:http'
import { createServer as createSocket } from 'node:net'

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
  /** How much a handler that does something would compute for each request, in rounds of less than a microsecond. */
  burnRounds: number
  /** How many listen on the port: each lets in one connection in a turn. */
  sockets: number
}

const { port, answers, burnRounds, sockets } = JSON.parse(process.argv[2] as string) as BareOptions

/**
 * Work, and not time by a clock: on a machine that is slower in some moments a handler is, too, and the slowest
 * hundredth of its answers is then what the machine makes of it. It leaves no garbage.
 */
const numbers = new Int32Array(512)
function burn(): void {
  for (let round = 0; round < burnRounds; round++) {
    let sum = round
    for (let at = 0; at < numbers.length; at++) sum = Math.imul(sum ^ (numbers[at] as number), 0x9e3779b1)
    numbers[round % numbers.length] = sum
  }
}

const server = createServer((request, response) => {
  const { method, url = '' } = request
  burn()
  const answer = answers.find((one) => one.method === method && url.startsWith(one.path)) as BareAnswer
  if (method === 'GET') response.writeHead(answer.status, answer.headers).end(answer.body, 'latin1')
  else {
    request.resume()
    request.on('end', () => response.writeHead(answer.status, answer.headers).end(answer.body, 'latin1'))
  }
})
const place = { port, host: '127.0.0.1', reusePort: sockets > 1 }
for (let further = 1; further < sockets; further++) {
  createSocket({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket)).listen(place)
}
server.listen(place, () => console.log('listening'))
process.on('SIGTERM', () => process.exit(0))
