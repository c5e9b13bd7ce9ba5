import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

/**
 * Below the ports that systems give to outgoing connections: among those any client could be given the port of a
 * service that is about to start, or to start again.
 */
const FIRST_PORT = 12_000
const LAST_PORT = 32_000
const BLOCK_PORTS = 40

/** What is left of this process's block. */
const left: number[] = []

/**
 * Ports that nothing listens on, and that nobody else is given: a service may start on them late, and stop and start
 * again. A port that is only looked at and let go could be handed out a second time before it is used.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = left.shift()
    if (port === undefined) left.push(...(await takeBlock()))
    else if (await isFree(port)) ports.push(port)
  }
  return ports
}

export interface OwnPorts {
  production: number
  staging: number
  admin: number
  https: number
}

/**
 * Every service of a test has ports of its own, one that is to refuse its start as well: it opens its admin port before
 * it looks at anything else, and on the usual ones it would meet other tests, and whatever else runs on this machine.
 */
export async function ownPorts(): Promise<OwnPorts> {
  const [production = 0, staging = 0, admin = 0, https = 0] = await freePorts(4)
  return { production, staging, admin, https }
}

export const addressesOn = ({ production, staging, admin, https }: OwnPorts) => ({
  PETSTORE_BASE_URL: `http://localhost:${production}/v1`,
  PETSTORE_STAGING_URL: `http://localhost:${staging}/v1`,
  PETSTORE_ADMIN_PORT: String(admin),
  PETSTORE_HTTPS_PORT: String(https),
})

/** Whoever listens on the first port of a block has the others: the system ends the claim with the process. */
async function takeBlock(): Promise<number[]> {
  for (;;) {
    const first = FIRST_PORT + BLOCK_PORTS * randomInt((LAST_PORT - FIRST_PORT) / BLOCK_PORTS)
    const claim = await listenOn(first)
    if (!claim) continue
    claim.unref()
    return Array.from({ length: BLOCK_PORTS - 1 }, (_, index) => first + 1 + index)
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = await listenOn(port)
  if (server) await new Promise((resolve) => server.close(resolve))
  return server !== undefined
}

function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
