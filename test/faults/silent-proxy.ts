import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface SilentProxy extends AsyncDisposable {
  readonly port: number
  /** Both ends of each count. */
  readonly connections: number
  /** Nothing passes any more, and no connection is closed: what a cut cable looks like. */
  cut(): void
  /** Bytes pass again; connections from before the cut stay dead. */
  mend(): void
  /** Nothing passes, and nothing is lost. */
  freeze(): void
  thaw(): void
  /** Ends every connection without a word of whoever is at the other end. */
  reset(): void
}

/** Stands between a client and a loopback server, to take the network away without telling either of them. */
export async function startSilentProxy(targetPort: number): Promise<SilentProxy> {
  const sockets = new Set<Socket>()
  let silent = false
  let frozen = false
  const server = createServer((near) => {
    keep(near)
    if (silent) return
    if (frozen) near.pause()
    const far = keep(connect(targetPort, '127.0.0.1'))
    far.on('data', (bytes) => silent || near.write(bytes))
    near.on('data', (bytes) => silent || far.write(bytes))
    far.on('close', () => silent || near.destroy())
    near.on('close', () => far.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as { port: number }).port,
    get connections() {
      return sockets.size
    },
    cut() {
      silent = true
    },
    mend() {
      for (const socket of sockets) socket.removeAllListeners('data')
      silent = false
    },
    freeze() {
      frozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      frozen = false
      for (const socket of sockets) socket.resume()
    },
    reset() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }

  function keep(socket: Socket): Socket {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    return socket
  }
}
