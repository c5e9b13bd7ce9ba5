import { createRequire } from 'node:module'
import { join } from 'node:path'
import { openApiTools } from '../../scripts/openapi-tools.ts'
import { freePorts } from '../harness/free-ports.ts'

interface PrismServer {
  listen(port: number, host: string): Promise<string>
  close(): Promise<unknown>
}

interface PrismModules {
  http: { getHttpOperationsFromSpec(document: string): Promise<unknown[]> }
  server: { createServer(operations: unknown[], options: object): PrismServer }
}

/** What Prism reports instead of an answer that the document does not have. */
interface Violation {
  location: string[]
  message: string
}

/**
 * Prism as a proxy with `--errors`: it judges every request and every answer by the document, and says what is wrong
 * instead of what was answered. In this process, because a command of its own takes two seconds to start.
 */
export async function startPrism(document: string, upstream: string) {
  const require = createRequire(join(openApiTools(), 'package.json'))
  const { getHttpOperationsFromSpec } = require('@stoplight/prism-http') as PrismModules['http']
  const { createServer } = require('@stoplight/prism-http-server') as PrismModules['server']
  const silent = () => {}
  const logger = { debug: silent, error: silent, fatal: silent, info: silent, success: silent, trace: silent }
  const server = createServer(await getHttpOperationsFromSpec(document), {
    cors: false,
    components: { logger: { ...logger, warn: silent, child: () => ({ ...logger, warn: silent }) } },
    config: {
      isProxy: true,
      upstream: new URL(upstream),
      errors: true,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      mock: { dynamic: false },
    },
  })
  const [port] = (await freePorts(1)) as [number]
  await server.listen(port, '127.0.0.1')
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => void (await server.close()),
  }
}

/** What Prism has against an exchange; undefined where it is the service that answers. */
export function violationsIn(type: string | null, body: string): Violation[] | string | undefined {
  if (type === null || !type.startsWith('application/problem+json')) return undefined
  const { validation, title, detail } = JSON.parse(body) as { validation?: Violation[]; title: string; detail: string }
  return validation ?? `${title}: ${detail}`
}
