import { plainPorts, portRefusal, type Ports } from '../edge/ports.ts'
import { createServer } from '../platform/http/wire/node-http.ts'
import type { Metrics } from '../platform/metrics.ts'

interface AdminNeeds {
  config: Ports & { adminPort: number }
  metrics: Pick<Metrics, 'text'>
  /** Resolves when the service can answer requests; rejects with the reason otherwise. */
  ready(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/** Where the service answers, for `petstore doctor`: most ports say nothing to a name that is not attached. */
export const PORTS_HEADER = 'Petstore-Ports'

/** The operator's own port, on loopback only: metrics, and whether the service lives and is ready. */
export async function startAdmin({ config, metrics, ready }: AdminNeeds): Promise<AsyncDisposable & { port: number }> {
  const port = config.adminPort
  const ports = [port, config.httpsPort, ...plainPorts(config)].join(' ')
  const server = createServer(async (request, response) => {
    const answer = (status: number, text: string, type = 'text/plain; charset=utf-8') =>
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text)
    if (!OWN_NAME.test(request.headers.host ?? '')) return answer(421, NOT_HERE)
    switch (request.url) {
      case '/livez':
        response.setHeader(PORTS_HEADER, ports)
        return answer(200, 'ok\n')
      case '/readyz':
        return ready().then(
          () => answer(200, 'ok\n'),
          (error: Error) => answer(503, `${error.message}\n`),
        )
      case '/metrics':
        return metrics.text().then(
          ({ contentType, body }) => answer(200, body, contentType),
          // Such as too many open files, with which a service that serves must not end.
          (error: Error) => answer(500, `The figures could not be read, ask again later: ${error.message}\n`),
        )
      default:
        return answer(404, 'Here are /metrics, /livez and /readyz.\n')
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(portRefusal('PETSTORE_ADMIN_PORT', LOOPBACK, port, error.code ?? '') ?? error),
    )
    server.listen(port, LOOPBACK, () => resolve())
  })
  return {
    port: (server.address() as { port: number }).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * Loopback keeps other machines out, but not a page in a browser of this one: its name can be made to lead here (DNS
 * rebinding), and the browser then sends that name.
 */
const OWN_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i
const NOT_HERE = 'This port answers to localhost and loopback addresses only, such as http://127.0.0.1:4002/readyz.\n'
