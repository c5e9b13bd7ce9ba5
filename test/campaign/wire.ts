import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** The network between a client and a loopback server, which a campaign can cut, freeze and slow. */
export interface Wire extends AsyncDisposable {
  readonly port: number
  /** Nothing passes, and no connection is closed: a cut cable. What was sent meanwhile is lost. */
  cut(): void
  /** Nothing passes, and nothing is lost: a server that stands still. */
  freeze(): void
  /** Every piece comes so much later, in each direction. */
  slow(byMs: number): void
  /** Everything passes as before; connections that were cut stay dead. */
  mend(): void
}

type Mood = { kind: 'passing' } | { kind: 'cut' } | { kind: 'frozen' } | { kind: 'slow'; byMs: number }

export async function startWire(targetPort: () => number): Promise<Wire> {
  const sockets = new Set<Socket>()
  const waiting: (() => void)[] = []
  let mood: Mood = { kind: 'passing' }

  const server = createServer((near) => {
    keep(near)
    // Nobody answers on a cut wire; the connection itself was made by the kernel of this side.
    if (mood.kind === 'cut') return
    const far = keep(connect(targetPort(), '127.0.0.1'))
    join(near, far)
    join(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as { port: number }).port,
    cut: () => void (mood = { kind: 'cut' }),
    freeze: () => void (mood = { kind: 'frozen' }),
    slow: (byMs) => void (mood = { kind: 'slow', byMs }),
    mend() {
      mood = { kind: 'passing' }
      for (const deliver of waiting.splice(0)) deliver()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }

  function join(from: Socket, to: Socket): void {
    let isLost = false
    let before = Promise.resolve()
    const send = (deliver: () => void) => {
      // After a piece was lost nothing that comes later could be understood.
      if (mood.kind === 'cut') isLost = true
      if (isLost) return
      const ready = passage()
      before = before.then(() => ready).then(deliver)
    }
    from.on('data', (bytes) => send(() => to.write(bytes)))
    from.on('close', () => send(() => to.destroy()))
  }

  /** Settles when a piece that is sent now may arrive. */
  async function passage(): Promise<void> {
    if (mood.kind === 'slow') await wait(mood.byMs)
    else if (mood.kind === 'frozen') await new Promise<void>((resolve) => void waiting.push(resolve))
  }

  function keep(socket: Socket): Socket {
    sockets.add(socket)
    return socket
      .setNoDelay(true)
      .on('close', () => sockets.delete(socket))
      .on('error', () => {})
  }
}
