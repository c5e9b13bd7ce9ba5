import type { Clock } from '../../../platform/clock.ts'
import type { ConnectTemplate } from '../../../platform/domain-connect/template.ts'
import type { AddressesOf } from '../observation/addresses.ts'
import {
  type ConnectProvider,
  discover,
  type Discovery,
  type DiscoveryNeeds,
  hasTemplate,
  rememberOffers,
} from './discovery.ts'
import type { SigningKey } from './signing-key.ts'
import { connectTemplates, KEY_LABEL, SERVICES } from './template.ts'

interface ConnectParts extends DiscoveryNeeds {
  clock: Clock
  addressesOf: AddressesOf
  platformHost: string
  /** Undefined where nothing can be prepared. */
  challengeApex: string | undefined
  /** Who we are to DNS providers. */
  providerId: string
  /** Where people come back to. */
  dashboardUrl: string
  key: SigningKey
}

/** Whether a DNS provider would write our records for people, with the sentence that says why not. */
type Offer =
  | { kind: 'offered'; provider: ConnectProvider; apply: string; isApex: boolean }
  | { kind: 'by hand'; provider: ConnectProvider; reason: string }
  | Exclude<Discovery, { kind: 'found' }>

/** What the records are for: to lead visitors here, or to have the certificate before. */
export type Purpose = 'site' | 'prepare'

/** This service as a service provider of Domain Connect. */
export interface Connect {
  readonly dashboardUrl: string
  offerOf(projectId: number, hostname: string, purpose: Purpose): Promise<Offer>
  templates(): Promise<ConnectTemplate[]>
  /** The TXT records that the operator publishes. */
  published(): Promise<{ name: string; values: readonly string[] }>
  readonly key: SigningKey
}

export function openConnect(parts: ConnectParts): Connect {
  const { clock, addressesOf, platformHost, challengeApex, providerId, dashboardUrl, key } = parts
  const offer = async (projectId: number, hostname: string, purpose: Purpose): Promise<Offer> => {
    parts.shares.live.charge(projectId, 1)
    const found = await discover(parts, projectId, hostname)
    if (found.kind !== 'found') return found
    const { provider } = found
    const byHand = (reason: string): Offer => ({ kind: 'by hand', provider, reason })
    if (provider.urlSyncUX === undefined) return byHand(`${provider.name} has no such way for ${provider.zone}.`)
    const isApex = hostname === provider.zone
    const serviceId = purpose === 'prepare' ? SERVICES.prepare : isApex ? SERVICES.apex : SERVICES.subdomain
    if (!(await hasTemplate(parts, provider, { providerId, serviceId }))) {
      return byHand(`${provider.name} does not know this service yet.`)
    }
    const service = `providers/${encodeURIComponent(providerId)}/services/${encodeURIComponent(serviceId)}`
    return { kind: 'offered', provider, isApex, apply: `${provider.urlSyncUX}/v2/domainTemplates/${service}/apply` }
  }
  return {
    dashboardUrl,
    key,
    offerOf: rememberOffers(clock, offer, ({ kind }) => kind === 'offered'),
    async templates() {
      // Every name below the platform host has the edge's addresses.
      const addresses = await addressesOf(`domain-connect.${platformHost}`)
      const dashboardHost = new URL(dashboardUrl).hostname
      return connectTemplates({ providerId, platformHost, dashboardHost, addresses, challengeApex })
    },
    async published() {
      await key.privateKey()
      return { name: `${KEY_LABEL}.${platformHost}`, values: key.published() }
    },
  }
}
