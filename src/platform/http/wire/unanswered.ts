import type { ClientRequest } from 'node:http'

/**
 * Calls back when a request gets no answer of its own, whatever the reason. Node has no error for an answer that
 * switches protocols (101), nor for a request that is closed meanwhile: whoever listens for 'error' alone waits for
 * good, and no time limit ends that, because there is nothing left to destroy.
 */
export function whenUnanswered(request: ClientRequest, tell: (error: Error) => void): void {
  const closed = () => tell(new Error('closed without an answer'))
  request.on('error', tell)
  request.on('close', closed)
  // Of a body that ends with its connection the rest comes after this.
  request.on('response', () => request.off('close', closed))
  request.on('upgrade', (_, socket) => {
    socket.destroy()
    tell(new Error('answered 101 Switching Protocols'))
  })
}
