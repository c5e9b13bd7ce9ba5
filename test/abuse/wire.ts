import { connect } from 'node:net'
import { HUNG_AFTER_MS } from '../harness/until.ts'

/** Says these bytes to a port and nothing more, and tells what came back until the connection ended. */
export function sayTo(port: number, bytes: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  return new Promise((resolve, reject) => {
    let received = ''
    const late = setTimeout(() => reject(new Error(`No end for ${bytes.toString('hex')}`)), HUNG_AFTER_MS)
    socket.on('data', (part) => (received += part.toString('latin1')))
    // A reset is an ending like any other; what was answered before it counts.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(late)
      resolve(received)
    })
    socket.end(bytes)
  })
}

/** The statuses of the answers in a stream, whatever their bodies are. */
export const statusesIn = (received: string) =>
  [...received.matchAll(/^HTTP\/1\.[01] (\d{3}) /gm)].map(([, status]) => Number(status))
