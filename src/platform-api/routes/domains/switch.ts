import { compareSites, showSwitch } from '../../../features/domains/switch/comparison.ts'
import { showSpread, type SpreadNeeds } from '../../../features/domains/switch/spread.ts'
import { ok, parameter, type ProjectCall, route } from '../../route.ts'

export interface SwitchRouteNeeds {
  /** What the verbs need beside the storage of whoever calls them. */
  domains: Omit<SpreadNeeds, 'storage'>
}

/** From another host to this one: what to see before, what to wait for after. */
export function switchRoutes(needs: SwitchRouteNeeds) {
  const withStorage = ({ storage }: ProjectCall) => ({ ...needs.domains, storage })
  return [
    route({
      id: 'getSwitch',
      summary: 'See how far a domain is on its way here',
      description: 'Who still has the old answer, and until when.',
      method: 'GET',
      path: '/projects/{project}/domains/{hostname}/switch',
      role: 'viewer',
      handle: async (call) => ok(await showSwitch(withStorage(call), call.project, parameter(call, 'hostname'))),
    }),
    // Not GETs: whoever follows them makes this service call addresses that DNS names.
    route({
      id: 'compareSites',
      summary: 'Compare the old site with the one here',
      method: 'POST',
      path: '/projects/{project}/domains/{hostname}/switch/comparison',
      role: 'editor',
      handle: async (call) => ok(await compareSites(withStorage(call), call.project, parameter(call, 'hostname'))),
    }),
    route({
      id: 'askResolvers',
      summary: 'Ask known resolvers where a domain leads',
      method: 'POST',
      path: '/projects/{project}/domains/{hostname}/switch/answers',
      role: 'editor',
      handle: async (call) => ok(await showSpread(withStorage(call), call.project, parameter(call, 'hostname'))),
    }),
  ]
}
