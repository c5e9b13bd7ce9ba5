import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Clock, performance } from '../clock.ts'
import { notFound, PetstoreError } from '../errors.ts'
import type { Exchange, HttpInterface } from './exchange.ts'
import { readJson } from './json-body.ts'
import type { Answer, Environment } from './operation.ts'
import { type Resource, resourceFinder } from './resources.ts'
import { createResponder, type Responder } from './responder.ts'

/** What the edge hands requests to, once it knows which environment's address they came to. */
export interface HttpApp {
  /** Whether a path is below an interface's prefix, and so nobody else's. */
  has(url: string): boolean
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    environment: Environment,
    addressHead?: Exchange['addressHead'],
  ): void
}

const NO_PARAMETERS: Record<string, string> = {}

/**
 * The one way in: path, caller, body, answer, for every interface. What is there already is answered in the same turn.
 * Paths below no prefix are the first interface's to refuse.
 */
export function createHttpApp(
  interfaces: readonly [HttpInterface, ...HttpInterface[]],
  nextRequestId: (given: string | string[] | undefined) => string,
  clock: Pick<Clock, 'now'>,
): HttpApp {
  const doors = interfaces.map((served) => ({
    served,
    below: `${served.prefix}/`,
    find: resourceFinder(served),
    responder: createResponder(served, clock),
  }))
  type Door = (typeof doors)[number]
  const first = doors[0] as Door

  const doorOf = (url: string, environment: Environment): Door => {
    for (const door of doors) {
      if (url.startsWith(door.below) && door.served.environments.includes(environment)) return door
    }
    return first
  }

  return {
    has: (url) => doors.some(({ below }) => url.startsWith(below)),
    handle(request, response, environment, addressHead) {
      const url = request.url as string
      const { served, find, responder } = doorOf(url, environment)
      const exchange: Exchange = {
        request,
        response,
        environment,
        requestId: nextRequestId(request.headers['x-request-id']),
        startedAt: performance.now(),
        addressHead,
        route: undefined,
        parameters: NO_PARAMETERS,
        caller: undefined,
        rate: undefined,
      }
      const found = find(url)
      if (found === undefined) return responder.sendError(exchange, notFound(served.nothingAt(shortPath(url))))
      exchange.parameters = found.parameters
      exchange.route = found.resource.routes.get(request.method as string)
      if (exchange.route === undefined) answerUnrouted(exchange, found.resource, served, responder)
      else perform(exchange, exchange.route, responder, clock)
    },
  }
}

/** A body may come a minute after its head: whoever was let in then may have lost their key or their place since. */
const ADMITTED_FOR_MS = 1000

function perform(
  exchange: Exchange,
  route: NonNullable<Exchange['route']>,
  { send, sendError }: Responder,
  clock: Pick<Clock, 'now'>,
): void {
  admit(false, proceed)

  function admit(isAgain: boolean, goOn: (call: unknown) => void): void {
    try {
      const call = route.admit(exchange, isAgain)
      if (call instanceof Promise) call.then(goOn).catch(fail)
      else goOn(call)
    } catch (error) {
      fail(error)
    }
  }

  function proceed(call: unknown): void {
    if (route.body !== 'json') return answer(call)
    const admittedAt = clock.now()
    const go = (body: unknown) => {
      const isLate = Math.abs(clock.now() - admittedAt) > ADMITTED_FOR_MS
      if (isLate) admit(true, (again) => answer(again, body))
      else answer(call, body)
    }
    readJson(exchange.request, go, fail)
  }

  /** In the same turn with what is there, and later with what has to be waited for. */
  function answer(call: unknown, body?: unknown): void {
    try {
      const given = route.answer(call, body)
      if (given instanceof Promise) given.then((found) => send(exchange, found)).catch(fail)
      else send(exchange, given)
    } catch (error) {
      fail(error)
    }
  }

  function fail(error: unknown): void {
    sendError(exchange, error)
  }
}

const REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, traceparent, tracestate'

/** The path is there, the method is not: a preflight, or a mistake. */
function answerUnrouted(
  exchange: Exchange,
  { allow }: Resource,
  { crossOrigin }: HttpInterface,
  { send, sendError }: Responder,
): void {
  const { method = '' } = exchange.request
  if (crossOrigin && method === 'OPTIONS') return send(exchange, preflight(allow))
  const message = `${method.slice(0, 40)} is not possible here. Allowed: ${allow}.`
  sendError(exchange, new PetstoreError('method_not_allowed', message, { headers: { Allow: allow } }))
}

function preflight(allow: string): Answer {
  const headers = ['Allow', allow, 'Access-Control-Allow-Methods', allow]
  headers.push('Access-Control-Allow-Headers', REQUEST_HEADERS, 'Access-Control-Max-Age', '86400')
  return { status: 204, body: '', headers }
}

function shortPath(url: string): string {
  const path = url.split('?', 1)[0] as string
  return path.length > 200 ? `${path.slice(0, 200)}…` : path
}
