import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { HttpInterface, HttpRoute } from '../platform/http/exchange.ts'
import type { Answer } from '../platform/http/operation.ts'
import { ShareRefusal } from '../platform/share.ts'
import type { DashboardRoute, PublicCall, Reply } from './route.ts'

export const PREFIX = '/dashboard/api'

/** Longer than any slug, hostname or id. */
const PARAMETER_LENGTH_MAX = 512

interface DashboardInterfaceNeeds {
  routes: readonly DashboardRoute[]
  admit(route: DashboardRoute, request: IncomingMessage, parameters: Record<string, string>): Promise<PublicCall>
  answered: HttpInterface['answered']
}

/** `/dashboard/api/…`: the route table over HTTP, for the dashboard's own pages. */
export function dashboardInterface({ routes, admit, answered }: DashboardInterfaceNeeds): HttpInterface {
  return {
    prefix: PREFIX,
    environments: ['production'],
    crossOrigin: false,
    parameterLengthMax: PARAMETER_LENGTH_MAX,
    routes: routes.map(httpRoute),
    nothingAt: () => 'There is nothing at this path.',
    answered,
  }

  function httpRoute(route: DashboardRoute): HttpRoute<PublicCall> {
    const { id, method, path, streams, handle } = route
    return {
      id,
      method,
      path,
      body: streams ? 'stream' : method === 'GET' ? 'ignored' : 'json',
      admit: ({ request, parameters }) => admit(route, request, parameters),
      answer: async (call, body) => answerOf(await handle(call, body).catch(holdBack)),
    }
  }
}

/** Pressing a button without pause costs whoever presses: a refusal is held back, each for its own time. */
async function holdBack(error: unknown): Promise<never> {
  if (error instanceof ShareRefusal) await wait(REFUSAL_HELD_MS * (1 + Math.random()))
  throw error
}

const REFUSAL_HELD_MS = 1000

function answerOf({ status, value, json, headers = {} }: Reply): Answer {
  const list = Object.entries(headers).flatMap(([name, given]) => [given].flat().flatMap((one) => [name, one]))
  return { status, body: json ?? JSON.stringify(value) ?? '', headers: list }
}
