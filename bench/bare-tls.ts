import { createSecureServer, type ServerHttp2Stream } from 'node:http2'
import { createServer } from 'node:https'
import type { BareAnswer } from './bare.ts'

/** The yardstick over TLS: what Node itself makes of one answer, by HTTP/1.1 and by the streams of HTTP/2. */
interface BareTlsOptions {
  http1Port: number
  http2Port: number
  key: string
  cert: string
  answer: BareAnswer
}

const { http1Port, http2Port, key, cert, answer } = JSON.parse(process.argv[2] as string) as BareTlsOptions
const { status, headers, body } = answer
const fields: Record<string, string> = {}
for (let at = 0; at < headers.length; at += 2) fields[headers[at] as string] = headers[at + 1] as string

const http1 = createServer({ key, cert }, (_request, response) => response.writeHead(status, headers).end(body))
const http2 = createSecureServer({ key, cert }).on('stream', (stream: ServerHttp2Stream) => {
  stream.on('error', () => {})
  stream.respond({ ':status': status, ...fields })
  stream.end(body)
})
http1.listen(http1Port, '127.0.0.1', () => {
  http2.listen(http2Port, '127.0.0.1', () => console.log('listening'))
})
process.on('SIGTERM', () => process.exit(0))
