import { createServer, type Server } from 'node:net'
import { portOf } from '../platform/port-of.ts'
import { StartError } from '../platform/start-error.ts'

/** Where the operator wants the service to listen. */
export interface Ports {
  baseUrl: URL
  stagingUrl: URL
  listenOn: readonly string[]
  /** A plain port beside those of the two addresses. */
  httpPort: number | undefined
  httpsPort: number
}

/** Each distinct port of the two addresses without TLS, and the one beside them. */
export function plainPorts({ baseUrl, stagingUrl, httpPort }: Ports): number[] {
  const ports = [baseUrl, stagingUrl].filter((url) => url.protocol === 'http:').map(portOf)
  return [...new Set(httpPort === undefined ? ports : [...ports, httpPort])]
}

/** On a port that is shared, the kernel gives each worker its part of the connections. */
export function bind(
  server: Server,
  address: string,
  port: number,
  isShared = false,
): Promise<{ address: string; port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: address, reusePort: isShared }, () => {
      server.off('error', reject)
      resolve({ address, port: (server.address() as { port: number }).port })
    })
  })
}

export async function openAll<Opened extends AsyncDisposable>(
  ports: readonly number[],
  addresses: readonly string[],
  open: (address: string, port: number) => Promise<Opened>,
): Promise<Opened[]> {
  await using opened = new AsyncDisposableStack()
  const listeners: Opened[] = []
  for (const port of ports) {
    for (const address of addresses) {
      try {
        listeners.push(opened.use(await open(address, port)))
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        // A machine without IPv6 is served on IPv4 alone.
        if (address === '::1' && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) continue
        throw code === 'EADDRINUSE' || code === 'EACCES' ? portTaken(port, code) : error
      }
    }
  }
  opened.move()
  return listeners
}

function portTaken(port: number, code: string): StartError {
  const why = code === 'EACCES' ? 'may not be opened by this user' : 'is in use by another process'
  return new StartError(
    `Port ${port} ${why}. Stop that process, or choose other ports with PETSTORE_BASE_URL, PETSTORE_STAGING_URL ` +
      'and PETSTORE_HTTPS_PORT.',
  )
}

/** Two services of one user could share their ports as workers do, and each would get some of the other's visitors. */
export async function requireFreePorts(ports: Ports): Promise<void> {
  const opened = await openAll([ports.httpsPort, ...plainPorts(ports)], ports.listenOn, async (address, port) => {
    const server = createServer()
    await bind(server, address, port)
    return { [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) }
  })
  await Promise.all(opened.map((one) => one[Symbol.asyncDispose]()))
}
