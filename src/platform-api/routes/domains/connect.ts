import type { DomainsNeeds } from '../../../features/domains/domains.ts'
import {
  beginConnect,
  connectOffer,
  type ConnectNeeds,
  finishConnect,
} from '../../../features/domains/connect/apply.ts'
import { notFound } from '../../../platform/errors.ts'
import { object, optional, text } from '../../../platform/schema.ts'
import { created, ok, parameter, type ProjectCall, route } from '../../route.ts'

export interface ConnectRouteNeeds {
  /** What the verbs need beside the storage of whoever calls them. */
  domains: Omit<DomainsNeeds & ConnectNeeds, 'storage'>
}

const query = (rule: string) => text({ minLength: 1, maxLength: 500, rule })

export const ConnectReturn = object({
  state: query('must be the state that came back'),
  error: optional(query('must be the error that came back')),
  description: optional(query('must be the description that came back')),
})

/** One click: the DNS provider writes the records. */
export function connectRoutes(needs: ConnectRouteNeeds) {
  const withStorage = ({ storage }: ProjectCall) => ({ ...needs.domains, storage })
  return [
    // Asks the provider of the zone, which is remembered: for those who may do something with the answer.
    route({
      id: 'getConnectOffer',
      summary: 'See whether the DNS provider can write the records',
      method: 'GET',
      path: '/projects/{project}/domains/{hostname}/connect',
      role: 'editor',
      handle: async (call) => ok(await connectOffer(withStorage(call), call.project, parameter(call, 'hostname'))),
    }),
    route({
      id: 'beginConnect',
      summary: 'Begin to let the DNS provider write the records',
      answers: [201],
      method: 'POST',
      path: '/projects/{project}/domains/{hostname}/connect',
      role: 'editor',
      async handle(call) {
        const { slug } = call.project
        const input = { hostname: parameter(call, 'hostname'), sessionId: call.who.sessionId, slug }
        return created(await beginConnect(withStorage(call), call.project, input))
      },
    }),
    route({
      id: 'finishConnect',
      summary: 'Come back from the DNS provider',
      method: 'POST',
      path: '/projects/{project}/domains/{hostname}/connect/return',
      role: 'editor',
      body: ConnectReturn,
      refusal: 'The answer of the DNS provider cannot be read',
      async handle(call, body) {
        const input = { hostname: parameter(call, 'hostname'), sessionId: call.who.sessionId, ...body }
        return ok(await finishConnect(withStorage(call), call.project, input))
      },
    }),
    // What the operator publishes: the key in DNS, the templates with the providers.
    route({
      id: 'getDomainConnect',
      summary: 'Get what is to be published for Domain Connect',
      method: 'GET',
      path: '/operator/domain-connect',
      role: 'operator',
      async handle() {
        const { connect } = needs.domains
        if (!connect) throw notFound('Domain Connect is off here: PETSTORE_DOMAIN_CONNECT switches it on.')
        return ok({ key: await connect.published(), templates: await connect.templates() })
      },
    }),
  ]
}
