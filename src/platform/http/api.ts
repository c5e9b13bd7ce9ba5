import type { IncomingMessage, ServerResponse } from 'node:http'
import fastify, { type FastifyInstance } from 'fastify'
import type { Clock } from '../clock.ts'
import { PetstoreError } from '../errors.ts'
import { asPetstoreError, errorBody } from './error-answer.ts'
import { parseJsonBody } from './json-body.ts'
import type { Answer, Call, Caller, Environment, Operation, OperationContract } from './operation.ts'
import type { RateLimiter } from './rate-limit.ts'

export const BODY_BYTES_MAX = 64 * 1024

export interface ApiObserver {
  /** After every answer; `caller` and `operation` as far as they were known. */
  answered(event: {
    request: IncomingMessage
    requestId: string
    operation: string | undefined
    route: string | undefined
    caller: Caller | undefined
    environment: Environment
    status: number
    durationMs: number
    failure: PetstoreError | undefined
  }): void
}

export interface ApiParts {
  operations: readonly Operation[]
  baseUrls: Record<Environment, string>
  /** Bytes served without a key, by path relative to the base address. */
  documents: Record<string, { contentType: string; body: Buffer; etag: string }>
  authenticate(authorization: string | undefined, environment: Environment): Caller | Promise<Caller>
  rateLimiter: RateLimiter | undefined
  nextRequestId(given: string | string[] | undefined): string
  clock: Clock
  observer: ApiObserver
  documentationUrl: string
}

/** What the edge hands requests to, once it knows which environment's address they came to. */
export interface Api {
  handle(request: IncomingMessage, response: ServerResponse, environment: Environment): void
  close(): Promise<void>
}

interface Exchange {
  environment: Environment
  requestId: string
  startedAt: number
  caller?: Caller
  rate?: string
  contract?: OperationContract
}

type ApiRequest = IncomingMessage & { exchange: Exchange }

const EXPOSED_HEADERS =
  'Link, Location, ETag, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, Deprecation, Sunset'

const NO_BODY = Buffer.alloc(0)

export async function createApi(parts: ApiParts): Promise<Api> {
  const { operations, rateLimiter, clock, observer } = parts
  const app = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: 256, caseSensitive: true },
    frameworkErrors: (error, request, reply) => {
      reply.hijack()
      sendError(request.raw as ApiRequest, reply.raw, error)
    },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      done(null, readBody(request.headers, bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  app.setErrorHandler((error, request, reply) => {
    reply.hijack()
    sendError(request.raw as ApiRequest, reply.raw, error)
  })
  app.setNotFoundHandler((request, reply) => {
    reply.hijack()
    answerUnrouted(request.raw as ApiRequest, reply.raw)
  })

  for (const operation of operations) addOperation(app, operation)
  for (const [path, document] of Object.entries(parts.documents)) addDocument(app, path, document)
  await app.ready()

  const methodsByPath = allowedMethods(parts)

  return {
    handle(request, response, environment) {
      const exchange = {
        environment,
        requestId: parts.nextRequestId(request.headers['x-request-id']),
        startedAt: performance.now(),
      }
      ;(request as ApiRequest).exchange = exchange
      app.routing(request, response)
    },
    close: () => app.close(),
  }

  function addOperation(instance: FastifyInstance, { contract, handle }: Operation): void {
    const notices = contract.deprecation ? deprecationHeaders(contract, parts) : undefined
    const sunsetAt = contract.deprecation ? Date.parse(contract.deprecation.sunset) : Infinity

    instance.route({
      method: contract.method,
      url: `/v1${contract.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      onRequest: (request, _reply, done) => {
        const raw = request.raw as ApiRequest
        raw.exchange.contract = contract
        admit(raw, contract, done)
      },
      handler: (request, reply) => {
        reply.hijack()
        const raw = request.raw as ApiRequest
        const response = reply.raw
        try {
          if (clock.now() >= sunsetAt) throw removed(contract)
          const answer = handle(callOf(raw, request.params as Record<string, string>, request.body))
          if (answer instanceof Promise) {
            answer.then(
              (settled) => send(raw, response, settled, notices?.(raw.exchange.environment)),
              (error: unknown) => sendError(raw, response, error, notices?.(raw.exchange.environment)),
            )
          } else send(raw, response, answer, notices?.(raw.exchange.environment))
        } catch (error) {
          sendError(raw, response, error, notices?.(raw.exchange.environment))
        }
      },
    })
  }

  function addDocument(instance: FastifyInstance, path: string, { contentType, body, etag }: ApiParts['documents'][string]) {
    instance.get(`/v1${path}`, (request, reply) => {
      reply.hijack()
      send(request.raw as ApiRequest, reply.raw, { status: 200, body, etag, headers: ['Content-Type', contentType] })
    })
  }

  /** The key, the rate and the scope, in this order, before parameters or body are looked at. */
  function admit(request: ApiRequest, contract: OperationContract, done: (error?: Error) => void): void {
    const settle = (caller: Caller) => {
      request.exchange.caller = caller
      if (rateLimiter) limitRate(request.exchange, caller, rateLimiter)
      if (caller.scopes.includes(contract.scope)) return
      throw new PetstoreError('forbidden', `This key may not ${contract.scope}: use one with the scope ${contract.scope}.`)
    }
    try {
      const caller = parts.authenticate(request.headers.authorization, request.exchange.environment)
      if (caller instanceof Promise) {
        caller.then(settle).then(() => done(), done)
        return
      }
      settle(caller)
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  }

  function callOf(request: ApiRequest, parameters: Record<string, string>, body: unknown): Call {
    const { caller, environment } = request.exchange
    return {
      caller: caller as Caller,
      url: request.url as string,
      baseUrl: parts.baseUrls[environment],
      parameters,
      headers: request.headers,
      body,
    }
  }

  /** No operation at this path with this method: a preflight, a wrong method, or nothing at all. */
  function answerUnrouted(request: ApiRequest, response: ServerResponse): void {
    const path = (request.url as string).split('?', 1)[0] as string
    const allowed = methodsByPath.find((entry) => entry.pattern.test(path))?.methods
    if (!allowed) {
      const message = `There is no operation at ${printable(path)}. The paths are listed in ${parts.documentationUrl}.`
      return sendError(request, response, new PetstoreError('not_found', message))
    }
    if (request.method === 'OPTIONS') {
      const headers = [
        'Allow', allowed,
        'Access-Control-Allow-Methods', allowed,
        'Access-Control-Allow-Headers', 'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id',
        'Access-Control-Max-Age', '86400',
      ]
      return send(request, response, { status: 204, body: NO_BODY, headers })
    }
    const message = `${printable(request.method as string)} is not possible here. Allowed: ${allowed}.`
    sendError(request, response, new PetstoreError('method_not_allowed', message, { headers: { Allow: allowed } }))
  }

  function sendError(request: ApiRequest, response: ServerResponse, thrown: unknown, notices: readonly string[] = []) {
    const failure = asPetstoreError(thrown)
    const headers = [...notices, ...Object.entries(failure.headers).flat()]
    send(request, response, { status: failure.status, body: errorBody(failure), headers }, undefined, failure)
  }

  function send(
    request: ApiRequest,
    response: ServerResponse,
    answer: Answer,
    notices?: readonly string[],
    failure?: PetstoreError,
  ): void {
    const { exchange } = request
    const fresh = answer.etag !== undefined && matches(request.headers['if-none-match'], answer.etag)
    const status = fresh ? 304 : answer.status
    const headers = ['X-Request-Id', exchange.requestId, 'Access-Control-Allow-Origin', '*']
    headers.push('Access-Control-Expose-Headers', EXPOSED_HEADERS, 'X-Content-Type-Options', 'nosniff')
    if (exchange.rate) headers.push('RateLimit-Policy', (rateLimiter as RateLimiter).policy, 'RateLimit', exchange.rate)
    if (answer.etag) headers.push('ETag', answer.etag, 'Cache-Control', 'private, no-cache', 'Vary', 'Authorization')
    else headers.push('Cache-Control', 'no-store')
    if (answer.headers) headers.push(...answer.headers)
    if (notices) headers.push(...notices)
    if (!answer.headers?.includes('Content-Type') && answer.body !== NO_BODY) {
      headers.push('Content-Type', 'application/json')
    }
    if (status !== 304 && status !== 204) headers.push('Content-Length', String(answer.body.byteLength))
    // An unread body would be taken for the next request: the connection ends with the refusal.
    if (failure && !request.complete) headers.push('Connection', 'close')
    response.writeHead(status, headers)
    response.end(status === 304 || status === 204 ? undefined : answer.body)

    observer.answered({
      request,
      requestId: exchange.requestId,
      operation: exchange.contract?.id,
      route: exchange.contract?.path,
      caller: exchange.caller,
      environment: exchange.environment,
      status,
      durationMs: performance.now() - exchange.startedAt,
      failure,
    })
  }
}

function readBody(headers: IncomingMessage['headers'], bytes: Buffer): unknown {
  const encoding = headers['content-encoding']
  if (encoding && encoding !== 'identity') {
    throw new PetstoreError('unsupported_media_type', 'A compressed body is not accepted: send it without Content-Encoding.')
  }
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset && !/^utf-?8$/i.test(charset)) {
    throw new PetstoreError('unsupported_media_type', 'A JSON body must be UTF-8: leave charset out, or say utf-8.')
  }
  return bytes.byteLength === 0 ? undefined : parseJsonBody(bytes)
}

function limitRate(exchange: Exchange, caller: Caller, limiter: RateLimiter): void {
  const { allowed, remaining, resetSeconds } = limiter.take(caller.keyId)
  exchange.rate = `"default";r=${remaining};t=${resetSeconds}`
  if (allowed) return
  throw new PetstoreError('rate_limited', 'This key has sent too many requests: wait as long as Retry-After says.', {
    headers: { 'Retry-After': String(resetSeconds) },
  })
}

function removed({ id, deprecation }: OperationContract): PetstoreError {
  return new PetstoreError('gone', `${id} was removed on ${deprecation?.sunset}. ${deprecation?.advice}`)
}

function deprecationHeaders({ deprecation }: OperationContract, { baseUrls, documentationUrl }: ApiParts) {
  const { since, sunset, successor } = deprecation as NonNullable<OperationContract['deprecation']>
  const headersFor = (baseUrl: string) => [
    'Deprecation', `@${Date.parse(since) / 1000}`,
    'Sunset', new Date(sunset).toUTCString(),
    'Link', `<${documentationUrl}>; rel="deprecation"; type="text/html", <${baseUrl}${successor}>; rel="successor-version"`,
  ]
  const headers = { production: headersFor(baseUrls.production), staging: headersFor(baseUrls.staging) }
  return (environment: Environment) => headers[environment]
}

function allowedMethods({ operations, documents }: ApiParts): { pattern: RegExp; methods: string }[] {
  const byPath = new Map<string, string[]>()
  for (const { contract } of operations) {
    byPath.set(contract.path, [...(byPath.get(contract.path) ?? []), contract.method])
  }
  for (const path of Object.keys(documents)) byPath.set(path, ['GET'])
  return [...byPath].map(([path, methods]) => ({
    pattern: new RegExp(`^/v1${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    methods: [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', '),
  }))
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

function printable(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
