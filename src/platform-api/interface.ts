import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { HttpInterface, HttpRoute } from '../platform/http/exchange.ts'
import type { Answer } from '../platform/http/operation.ts'
import { enterOrRefuse, type Share, ShareRefusal } from '../platform/share.ts'
import type { DashboardRoute, ProjectCall, PublicCall, Reply } from './route.ts'

export const PREFIX = '/dashboard/api'

/** Longer than any slug, hostname or id. */
const PARAMETER_LENGTH_MAX = 512

interface DashboardInterfaceNeeds {
  routes: readonly DashboardRoute[]
  /** Changes of each project. */
  editing: Share
  admit(route: DashboardRoute, request: IncomingMessage, parameters: Record<string, string>): Promise<PublicCall>
  answered: HttpInterface['answered']
}

/** `/dashboard/api/…`: the route table over HTTP, for the dashboard's own pages. */
export function dashboardInterface({ routes, editing, admit, answered }: DashboardInterfaceNeeds): HttpInterface {
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
      async answer(call, body) {
        try {
          using _ = placeFor(route, call)
          return answerOf(await handle(call, body))
        } catch (error) {
          if (error instanceof ShareRefusal) await holdBack(streams ? SENT_AGAIN_MS : PRESSED_AGAIN_MS)
          throw error
        }
      },
    }
  }

  /** Uploads have places of their own. */
  function placeFor({ method, streams }: DashboardRoute, call: PublicCall): Disposable | undefined {
    if (method === 'GET' || streams || !('project' in call)) return undefined
    return enterOrRefuse(editing, (call as ProjectCall).project.projectId, 'Changes')
  }
}

/** Pressing a button without pause costs whoever presses: a refusal is held back, each for its own time. */
const holdBack = (ms: number) => wait(ms * (1 + Math.random()))

/** Twelve who press without pause are refused twice a second, which a neighbour's p99 does not show. */
const PRESSED_AGAIN_MS = 4000
/** Clients send files again by themselves. */
const SENT_AGAIN_MS = 1000

function answerOf({ status, value, json, headers = {} }: Reply): Answer {
  const list = Object.entries(headers).flatMap(([name, given]) => [given].flat().flatMap((one) => [name, one]))
  return { status, body: json ?? JSON.stringify(value) ?? '', headers: list }
}
