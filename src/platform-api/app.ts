import type { IncomingMessage, ServerResponse } from 'node:http'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { notFound, PetstoreError } from '../platform/errors.ts'
import { asPetstoreError, errorBody } from '../platform/http/error-answer.ts'
import { acceptJson, BODY_BYTES_MAX } from '../platform/http/json-body.ts'
import { hasUnreadBody } from '../platform/http/responder.ts'
import type { DashboardRoute, PublicCall, Reply } from './route.ts'

export const PREFIX = '/dashboard/api'

export interface DashboardApi {
  /** The route table that is being served. */
  readonly routes: readonly DashboardRoute[]
  handle(request: IncomingMessage, response: ServerResponse): void
  close(): Promise<void>
}

export interface AppParts {
  routes: readonly DashboardRoute[]
  admit(route: DashboardRoute, request: IncomingMessage, parameters: Record<string, string>): Promise<PublicCall>
  nextRequestId(given: string | string[] | undefined): string
  /** After every answer. */
  answered(event: Answered): void
}

export interface Answered {
  requestId: string
  method: string
  route: DashboardRoute | undefined
  status: number
  durationMs: number
  failure: PetstoreError | undefined
}

interface Exchange {
  requestId: string
  startedAt: number
  route?: DashboardRoute
  call?: PublicCall
}

type DashboardRequest = IncomingMessage & { exchange: Exchange }

const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** `/dashboard/api/…`: the route table over HTTP, for the dashboard's own pages. */
export async function createDashboardApi(parts: AppParts): Promise<DashboardApi> {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    routerOptions: { maxParamLength: 512 },
    frameworkErrors: (error, request, reply) => fail(request, reply, error),
  })
  acceptJson(app)
  app.setErrorHandler((error, request, reply) => fail(request, reply, error))
  for (const route of parts.routes) if (!route.streams) addRoute(app, route)
  app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers()
    // The handler reads the stream itself, at its own pace and with its own limits.
    uploads.addContentTypeParser('*', (_request, _payload, next) => next(null))
    for (const route of parts.routes) if (route.streams) addRoute(uploads, route)
  })
  app.setNotFoundHandler(refuseUnrouted)
  app.route({ method: METHODS_WITH_BODY, url: '*', onRequest: refuseUnrouted, handler: refuseUnrouted })
  await app.ready()

  return {
    routes: parts.routes,
    handle(request, response) {
      const requestId = parts.nextRequestId(request.headers['x-request-id'])
      ;(request as DashboardRequest).exchange = { requestId, startedAt: performance.now() }
      app.routing(request, response)
    },
    close: () => app.close(),
  }

  function addRoute(instance: FastifyInstance, route: DashboardRoute): void {
    instance.route({
      method: route.method,
      url: PREFIX + route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      onRequest: async (request) => {
        const { exchange } = request.raw as DashboardRequest
        exchange.route = route
        exchange.call = await parts.admit(route, request.raw, request.params as Record<string, string>)
      },
      handler: async (request, reply) => {
        const { exchange } = request.raw as DashboardRequest
        const answer = await route.handle(exchange.call as PublicCall, request.body)
        send(request, reply, answer)
      },
    })
  }

  function refuseUnrouted(request: FastifyRequest, reply: FastifyReply): void {
    const path = (request.raw.url as string).split('?', 1)[0] as string
    const methods = parts.routes.filter((route) => matches(route, path)).map((route) => route.method)
    if (methods.length === 0) return fail(request, reply, notFound('There is nothing at this path.'))
    const Allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ')
    fail(request, reply, new PetstoreError('method_not_allowed', `Allowed here: ${Allow}.`, { headers: { Allow } }))
  }

  function fail(request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
    const { raw } = request
    const failure = asPetstoreError(raw.destroyed && hasUnreadBody(raw) ? cutShort(thrown) : thrown)
    // An unread body would be taken for the next request: the connection ends with the refusal.
    const unread = raw.httpVersionMajor === 1 && hasUnreadBody(raw)
    const headers = { ...failure.headers, ...(unread ? { Connection: 'close' } : {}) }
    send(request, reply, { status: failure.status, json: errorBody(failure), headers }, failure)
  }

  function send(request: FastifyRequest, reply: FastifyReply, answer: Reply, failure?: PetstoreError): void {
    const { exchange, method = '' } = request.raw as DashboardRequest
    const body = answer.status === 204 ? undefined : Buffer.from(answer.json ?? JSON.stringify(answer.value))
    reply.hijack()
    reply.raw.writeHead(answer.status, {
      'X-Request-Id': exchange.requestId,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'same-origin',
      ...(body ? { 'Content-Type': 'application/json', 'Content-Length': String(body.byteLength) } : {}),
      ...answer.headers,
    })
    reply.raw.end(body)
    const { requestId, route, startedAt } = exchange
    const durationMs = performance.now() - startedAt
    parts.answered({ requestId, method, route, status: answer.status, durationMs, failure })
  }
}

/** The client went away in the middle of its body: nobody reads this answer, and it is no bug of ours. */
function cutShort(cause: unknown): PetstoreError {
  return new PetstoreError('invalid_request', 'The request ended before its body was complete.', { cause })
}

function matches(route: DashboardRoute, path: string): boolean {
  return new RegExp(`^${PREFIX}${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
}
