import {
  answerRequest,
  providerSettings,
  providerTemplate,
  type ProviderNeeds,
  readConsent,
} from '../../../features/sandbox/provider.ts'
import type { Clock } from '../../../platform/clock.ts'
import { notFound } from '../../../platform/errors.ts'
import { boolean, object, text } from '../../../platform/schema.ts'
import type { ChangeFeed } from '../../../platform/storage/change-feed.ts'
import { ok, parameter, type PublicCall, route } from '../../route.ts'

export interface SandboxProviderRouteNeeds {
  clock: Clock
  changes: ChangeFeed
  /** Undefined outside of local mode. */
  sandboxProvider: Omit<ProviderNeeds, 'storage' | 'clock' | 'changes'> | undefined
}

const request = {
  provider: text({ minLength: 1, maxLength: 253, rule: 'must be the id of a service provider' }),
  service: text({ minLength: 1, maxLength: 253, rule: 'must be the id of a template' }),
  query: text({ minLength: 1, maxLength: 8192, rule: 'must be the query of an apply link' }),
}

export const ApplyRequestBody = object(request)
export const ApplyAnswerBody = object({ ...request, consents: boolean() })

/** The sandbox registrar's side of Domain Connect: what a provider offers to everybody, and what its customers see. */
export function sandboxProviderRoutes(needs: SandboxProviderRouteNeeds) {
  const providerOf = ({ storage }: PublicCall): ProviderNeeds => {
    const { clock, changes, sandboxProvider } = needs
    if (!sandboxProvider) throw notFound('The sandbox is off here: domains are checked in the real DNS.')
    return { ...sandboxProvider, storage, clock, changes }
  }
  return [
    route({
      id: 'sandboxProviderSettings',
      summary: 'Describe the sandbox as a Domain Connect provider',
      method: 'GET',
      path: '/sandbox/domain-connect/v2/{domain}/settings',
      role: 'public',
      handle: async (call) => ok(await providerSettings(providerOf(call), parameter(call, 'domain'))),
    }),
    route({
      id: 'sandboxProviderTemplate',
      summary: 'Tell whether the sandbox has a Domain Connect template',
      method: 'GET',
      path: '/sandbox/domain-connect/v2/domainTemplates/providers/{provider}/services/{service}',
      role: 'public',
      async handle(call) {
        const wanted = { provider: parameter(call, 'provider'), service: parameter(call, 'service') }
        return ok(await providerTemplate(providerOf(call), wanted))
      },
    }),
    route({
      id: 'readSandboxConsent',
      summary: 'See what a Domain Connect request would change',
      method: 'POST',
      path: '/sandbox/domain-connect/consent',
      role: 'session',
      body: ApplyRequestBody,
      refusal: 'The request cannot be read',
      handle: async (call, body) => ok(await readConsent(providerOf(call), body)),
    }),
    route({
      id: 'answerSandboxRequest',
      summary: 'Answer a Domain Connect request',
      method: 'POST',
      path: '/sandbox/domain-connect/apply',
      role: 'session',
      body: ApplyAnswerBody,
      refusal: 'The request cannot be read',
      handle: async (call, body) => ok(await answerRequest(providerOf(call), body)),
    }),
  ]
}
