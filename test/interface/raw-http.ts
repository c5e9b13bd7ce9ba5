import { connect, type Socket } from 'node:net'
import { HUNG_AFTER_MS } from '../harness/until.ts'

interface RawAnswer {
  status: number
  /** Names in lower case; a repeated header's values joined by a comma. */
  headers: Record<string, string>
  body: string
}

export interface Conversation {
  answers: RawAnswer[]
  /** Whether the server ended the connection. */
  closed: boolean
}

/** Text goes out as Latin-1, so that every byte can be written down. */
export type Step = string | Uint8Array | { pauseMs: number } | 'half-close' | 'reset'

/**
 * Says exactly these bytes to a port and listens until the server ends the connection or has given as many
 * final answers as are wanted; fails when neither happens in time.
 */
export async function converse(port: number, steps: readonly Step[], wanted = Infinity): Promise<Conversation> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  let closed = false
  let onChange = () => {}
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
    onChange()
  })
  // A reset is an ending like any other here; what was answered before it counts.
  socket.on('error', () => {})
  socket.on('end', () => (closed = true))
  socket.on('close', () => {
    closed = true
    onChange()
  })

  const ended = new Promise<void>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`No end after ${HUNG_AFTER_MS} ms; received: ${received}`)),
      HUNG_AFTER_MS,
    )
    onChange = () => {
      if (!socket.closed && !closed && answersIn(received).length < wanted) return
      clearTimeout(late)
      resolve()
    }
  })
  void say(socket, steps)
  try {
    await ended
    return { answers: answersIn(received), closed }
  } finally {
    socket.destroy()
  }
}

async function say(socket: Socket, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (socket.destroyed) return
    if (step === 'half-close') socket.end()
    else if (step === 'reset') socket.resetAndDestroy()
    else if (typeof step === 'object' && 'pauseMs' in step) {
      await new Promise((resolve) => setTimeout(resolve, step.pauseMs))
    } else await new Promise<void>((resolve) => socket.write(step as string, 'latin1', () => resolve()))
  }
}

/** The complete final answers in a stream; `100 Continue` is none. */
function answersIn(stream: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = stream
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (headEnd === -1) return answers
    const [statusLine = '', ...lines] = rest.slice(0, headEnd).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1])
    const headers: Record<string, string> = {}
    for (const line of lines) {
      const colon = line.indexOf(':')
      const name = line.slice(0, colon).toLowerCase()
      const value = line.slice(colon + 1).trim()
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
    }
    rest = rest.slice(headEnd + 4)
    if (status >= 100 && status < 200) continue
    const length = Number(headers['content-length'] ?? 0)
    if (rest.length < length) return answers
    answers.push({ status, headers, body: Buffer.from(rest.slice(0, length), 'latin1').toString() })
    rest = rest.slice(length)
  }
}
