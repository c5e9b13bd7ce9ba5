import { AddDomain, SetHsts, SetRedirect } from '../../features/domains/contract.ts'
import {
  addDomain,
  changeHsts,
  domainEvidence,
  type DomainsNeeds,
  listDomains,
  listDomainViews,
  makePrimary,
  redirectDomain,
  removeDomain,
  showDomain,
  verifyDomain,
} from '../../features/domains/domains.ts'
import { checkServed } from '../../features/domains/live/check.ts'
import { findDangling } from '../../features/domains/live/dangling.ts'
import { troubleshoot, type TroubleshootNeeds } from '../../features/domains/live/troubleshoot.ts'
import { prepareDomain } from '../../features/domains/preparation/prepare.ts'
import { invalid } from '../../platform/errors.ts'
import { readQuery } from '../../platform/http/query-string.ts'
import { created, ok, parameter, type ProjectCall, route } from '../route.ts'

export interface DomainsRouteNeeds {
  /** What the verbs need beside the storage of whoever calls them. */
  domains: Omit<DomainsNeeds & TroubleshootNeeds, 'storage'>
}

/** The procedure of custom domains: Add, Verify, primary and redirects, Remove, and what explains them. */
export function domainRoutes(needs: DomainsRouteNeeds) {
  const withStorage = ({ storage }: ProjectCall) => ({ ...needs.domains, storage })
  return [
    route({
      id: 'listDomains',
      method: 'GET',
      path: '/projects/{project}/domains',
      role: 'viewer',
      async handle(call) {
        const needs = withStorage(call)
        const [shape, domains] = await Promise.all([
          listDomains(needs, call.project),
          listDomainViews(needs, call.project),
        ])
        return ok({ ...shape, domains })
      },
    }),
    route({
      id: 'addDomain',
      method: 'POST',
      path: '/projects/{project}/domains',
      role: 'editor',
      body: AddDomain,
      refusal: 'The domain was not added',
      handle: async (call, body) => created(await addDomain(withStorage(call), call.project, body)),
    }),
    // A domain that is in use elsewhere: its certificate comes before its record changes.
    route({
      id: 'prepareDomain',
      method: 'POST',
      path: '/projects/{project}/prepared-domains',
      role: 'editor',
      body: AddDomain,
      refusal: 'The domain was not prepared',
      handle: async (call, body) => created(await prepareDomain(withStorage(call), call.project, body)),
    }),
    route({
      id: 'showDomain',
      method: 'GET',
      path: '/projects/{project}/domains/{hostname}',
      role: 'viewer',
      handle: async (call) => ok(await showDomain(withStorage(call), call.project, parameter(call, 'hostname'))),
    }),
    route({
      id: 'verifyDomain',
      method: 'POST',
      path: '/projects/{project}/domains/{hostname}/verify',
      role: 'editor',
      handle: async (call) => ok(await verifyDomain(withStorage(call), call.project, parameter(call, 'hostname'))),
    }),
    route({
      id: 'makePrimary',
      method: 'PUT',
      path: '/projects/{project}/domains/{hostname}/primary',
      role: 'editor',
      handle: async (call) => ok(await makePrimary(withStorage(call), call.project, parameter(call, 'hostname'))),
    }),
    route({
      id: 'redirectDomain',
      method: 'PUT',
      path: '/projects/{project}/domains/{hostname}/redirect',
      role: 'editor',
      body: SetRedirect,
      refusal: 'The redirect was not saved',
      async handle(call, { to, status }) {
        const redirect = { from: parameter(call, 'hostname'), to, status }
        return ok(await redirectDomain(withStorage(call), call.project, redirect))
      },
    }),
    route({
      id: 'changeHsts',
      method: 'PUT',
      path: '/projects/{project}/domains/{hostname}/hsts',
      role: 'editor',
      body: SetHsts,
      refusal: 'The setting was not saved',
      async handle(call, { seconds = null }) {
        const input = { hostname: parameter(call, 'hostname'), seconds }
        return ok(await changeHsts(withStorage(call), call.project, input))
      },
    }),
    route({
      id: 'removeDomain',
      method: 'DELETE',
      path: '/projects/{project}/domains/{hostname}',
      role: 'editor',
      async handle(call) {
        const { revoke } = readQuery(call.url, ['revoke'])
        const input = { hostname: parameter(call, 'hostname'), revoke: revoke === 'true' }
        return ok(await removeDomain(withStorage(call), call.project, input))
      },
    }),
    route({
      id: 'domainEvidence',
      method: 'GET',
      path: '/projects/{project}/domains/{hostname}/evidence',
      role: 'viewer',
      async handle(call) {
        const input = { hostname: parameter(call, 'hostname'), checkId: checkIdOf(call.url) }
        return ok(await domainEvidence(withStorage(call), call.project, input))
      },
    }),
    // Not a GET: whoever follows it makes this service call addresses that DNS names.
    route({
      id: 'checkServed',
      method: 'POST',
      path: '/projects/{project}/domains/{hostname}/live-check',
      role: 'editor',
      handle: async (call) => ok(await checkServed(withStorage(call), call.project, parameter(call, 'hostname'))),
    }),
    // The contract's list for a certificate that is late, each point with what is found at this moment.
    route({
      id: 'troubleshootDomain',
      method: 'POST',
      path: '/projects/{project}/domains/{hostname}/troubleshoot',
      role: 'editor',
      handle: async (call) => ok(await troubleshoot(withStorage(call), call.project, parameter(call, 'hostname'))),
    }),
    // After Remove: a record that still points here should go too.
    route({
      id: 'danglingDns',
      method: 'GET',
      path: '/projects/{project}/domains/{hostname}/dangling',
      role: 'editor',
      handle: async (call) => ok(await findDangling(withStorage(call), call.project, parameter(call, 'hostname'))),
    }),
  ]
}

function checkIdOf(url: string): number | undefined {
  const { check } = readQuery(url, ['check'])
  if (check === undefined) return undefined
  const id = Number(check)
  if (!Number.isSafeInteger(id)) throw invalid('check must be the id of a check.')
  return id
}
