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
import { boolean, integer, object, optional } from '../../platform/schema.ts'
import { created, ok, parameter, type ProjectCall, route } from '../route.ts'

export interface DomainsRouteNeeds {
  /** What the verbs need beside the storage of whoever calls them. */
  domains: Omit<DomainsNeeds & TroubleshootNeeds, 'storage'>
}

const Removal = object({
  revoke: optional(boolean({ description: 'Whether its certificate is revoked too.' })),
})

const EvidenceOf = object({
  check: optional(
    integer({ description: 'The id of a check; the last one unless told.', rule: 'must be the id of a check' }),
  ),
})

/** The procedure of custom domains: Add, Verify, primary and redirects, Remove, and what explains them. */
export function domainRoutes(needs: DomainsRouteNeeds) {
  const withStorage = ({ storage }: ProjectCall) => ({ ...needs.domains, storage })
  return [
    route({
      id: 'listDomains',
      summary: 'List the domains',
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
      summary: 'Add a domain',
      description: 'The answer has the DNS record to create.',
      answers: [201],
      errors: ['plan_required'],
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
      summary: 'Prepare a domain that is in use elsewhere',
      description: 'Its certificate comes before its record changes. The answer has the records to create.',
      answers: [201],
      errors: ['plan_required'],
      method: 'POST',
      path: '/projects/{project}/prepared-domains',
      role: 'editor',
      body: AddDomain,
      refusal: 'The domain was not prepared',
      handle: async (call, body) => created(await prepareDomain(withStorage(call), call.project, body)),
    }),
    route({
      id: 'showDomain',
      summary: 'Get a domain',
      description: 'With the record to create, the last check and the certificate.',
      method: 'GET',
      path: '/projects/{project}/domains/{hostname}',
      role: 'viewer',
      handle: async (call) => ok(await showDomain(withStorage(call), call.project, parameter(call, 'hostname'))),
    }),
    route({
      id: 'verifyDomain',
      summary: 'Verify a domain',
      description: 'Starts a check of its DNS at once; the certificate follows by itself.',
      method: 'POST',
      path: '/projects/{project}/domains/{hostname}/verify',
      role: 'editor',
      handle: async (call) => ok(await verifyDomain(withStorage(call), call.project, parameter(call, 'hostname'))),
    }),
    route({
      id: 'makePrimary',
      summary: 'Make a domain the primary one',
      method: 'PUT',
      path: '/projects/{project}/domains/{hostname}/primary',
      role: 'editor',
      handle: async (call) => ok(await makePrimary(withStorage(call), call.project, parameter(call, 'hostname'))),
    }),
    route({
      id: 'redirectDomain',
      summary: 'Redirect a domain to another',
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
      summary: 'Set the HSTS header of a domain',
      description: 'Without `seconds` it is switched off.',
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
      summary: 'Remove a domain',
      description: 'Traffic stops being served at once.',
      method: 'DELETE',
      path: '/projects/{project}/domains/{hostname}',
      role: 'editor',
      query: Removal,
      async handle(call) {
        const input = { hostname: parameter(call, 'hostname'), revoke: call.query.revoke ?? false }
        return ok(await removeDomain(withStorage(call), call.project, input))
      },
    }),
    route({
      id: 'domainEvidence',
      summary: 'Get what DNS answered',
      description: 'Every question of a check with its answer.',
      method: 'GET',
      path: '/projects/{project}/domains/{hostname}/evidence',
      role: 'viewer',
      query: EvidenceOf,
      async handle(call) {
        const input = { hostname: parameter(call, 'hostname'), checkId: call.query.check }
        return ok(await domainEvidence(withStorage(call), call.project, input))
      },
    }),
    // Not a GET: whoever follows it makes this service call addresses that DNS names.
    route({
      id: 'checkServed',
      summary: 'Check what is really served',
      description: 'Visits the domain as a browser would, and compares.',
      method: 'POST',
      path: '/projects/{project}/domains/{hostname}/live-check',
      role: 'editor',
      handle: async (call) => ok(await checkServed(withStorage(call), call.project, parameter(call, 'hostname'))),
    }),
    // The contract's list for a certificate that is late, each point with what is found at this moment.
    route({
      id: 'troubleshootDomain',
      summary: 'Find out why a certificate is late',
      method: 'POST',
      path: '/projects/{project}/domains/{hostname}/troubleshoot',
      role: 'editor',
      handle: async (call) => ok(await troubleshoot(withStorage(call), call.project, parameter(call, 'hostname'))),
    }),
    // After Remove: a record that still points here should go too.
    route({
      id: 'danglingDns',
      summary: 'See whether the DNS of a removed domain still leads here',
      method: 'GET',
      path: '/projects/{project}/domains/{hostname}/dangling',
      role: 'editor',
      handle: async (call) => ok(await findDangling(withStorage(call), call.project, parameter(call, 'hostname'))),
    }),
  ]
}
