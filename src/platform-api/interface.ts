import { setTimeout as wait } from 'node:timers/promises'
import type { Exchange, HttpInterface, HttpRoute } from '../platform/http/exchange.ts'
import type { Answer } from '../platform/http/operation.ts'
import { enterOrRefuse, type Share, ShareRefusal } from '../platform/share.ts'
import { documentRoute } from './openapi/served.ts'
import { knowing } from './outcome.ts'
import type { DashboardRoute, ProjectCall, PublicCall, Reply } from './route.ts'

export const PREFIX = '/platform/v1'

/** Longer than any slug, hostname or id. */
const PARAMETER_LENGTH_MAX = 512

interface DashboardInterfaceNeeds {
  /** The OpenAPI document of the routes. */
  document(): Promise<string>
  routes: readonly DashboardRoute[]
  /** Changes that people make, which all leave entries in the audit log: of a project, and of what is their own. */
  changes: { ofProject: Share; ofAccount: Share<string> }
  admit(route: DashboardRoute, exchange: Exchange): Promise<PublicCall>
  answered: HttpInterface['answered']
}

/** `/platform/v1/…`: the route table over HTTP, for the dashboard's pages by session, for programs by token. */
export function dashboardInterface({
  document,
  routes,
  changes,
  admit,
  answered,
}: DashboardInterfaceNeeds): HttpInterface {
  return {
    prefix: PREFIX,
    environments: ['production'],
    crossOrigin: false,
    parameterLengthMax: PARAMETER_LENGTH_MAX,
    routes: [...routes.map(httpRoute), documentRoute(document)],
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
      admit: (exchange) => admit(route, exchange),
      async answer(call, body) {
        try {
          using _ = placeFor(route, call)
          return answerOf(await handle(call, body))
        } catch (error) {
          if (error instanceof ShareRefusal) await holdBack(streams ? SENT_AGAIN_MS : PRESSED_AGAIN_MS)
          throw knowing(call, error)
        }
      },
    }
  }

  function placeFor({ method, role, uncounted }: DashboardRoute, call: PublicCall): Disposable | undefined {
    if (method === 'GET' || uncounted) return undefined
    if ('project' in call) {
      return enterOrRefuse(changes.ofProject, (call as ProjectCall).project.projectId, 'Changes')
    }
    return role === 'session' && call.who ? enterOrRefuse(changes.ofAccount, call.who.id, 'Changes') : undefined
  }
}

/** Pressing a button without pause costs whoever presses: a refusal is held back, each for its own time. */
const holdBack = (ms: number) => wait(ms * (1 + Math.random()))

/** Twelve who press without pause are refused twice a second, which a neighbour's p99 does not show. */
const PRESSED_AGAIN_MS = 4000
/** Clients send files again by themselves. */
const SENT_AGAIN_MS = 1000

function answerOf({ status, value, json, headers = {}, stream }: Reply): Answer {
  const list = Object.entries(headers).flatMap(([name, given]) => [given].flat().flatMap((one) => [name, one]))
  const answer = { status, body: json ?? JSON.stringify(value) ?? '', headers: list }
  return stream ? { ...answer, stream } : answer
}
