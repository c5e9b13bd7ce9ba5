import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

/**
 * Below the ports that systems give to outgoing connections: among those any client could be given the port of a
 * service that is about to start, or to start again.
 */
const FIRST_PORT = 12_000
const LAST_PORT = 32_000

/** Ports that nothing listens on now; all are held until the last is found, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>()
  while (held.size < count) {
    const port = randomInt(FIRST_PORT, LAST_PORT)
    const server = held.has(port) ? undefined : await listenOn(port)
    if (server) held.set(port, server)
  }
  await Promise.all([...held.values()].map((server) => new Promise((resolve) => server.close(resolve))))
  return [...held.keys()]
}

function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
