import { connect } from 'node:net'
import { HUNG_AFTER_MS } from '../harness/until.ts'

/**
 * Says these bytes to a port and nothing more, and tells what came back until the server ended the connection. Who
 * says what may have no answer hangs up after a moment, and then the answer to what is still being done is lost.
 */
export function sayTo(port: number, bytes: Buffer, options: { hangUpAfterMs?: number } = {}): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  return new Promise((resolve, reject) => {
    let received = ''
    const late = setTimeout(() => reject(new Error(`No end for ${bytes.toString('hex')}`)), HUNG_AFTER_MS)
    socket.on('data', (part) => (received += part.toString('latin1')))
    // A reset is an ending like any other; what was answered before it counts.
    socket.on('error', () => {})
    socket.write(bytes)
    const hangUp = () => socket.end()
    const patience = options.hangUpAfterMs === undefined ? undefined : setTimeout(hangUp, options.hangUpAfterMs)
    if (patience !== undefined) socket.once('data', hangUp)
    socket.on('close', () => {
      clearTimeout(late)
      clearTimeout(patience)
      resolve(received)
    })
  })
}

/** The statuses of the answers in a stream, whatever their bodies are. */
export const statusesIn = (received: string) =>
  [...received.matchAll(/^HTTP\/1\.[01] (\d{3}) /gm)].map(([, status]) => Number(status))
