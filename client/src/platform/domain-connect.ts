import type { Domain } from './domains.ts'

/** Whether the DNS provider of a domain would write its records by itself. */
export interface ConnectOffer {
  offered: boolean
  /** Who runs the zone, where it says so. */
  provider: { name: string; zone: string; controlPanel: string | null } | null
  /** Why not, where there is something to say. */
  reason: string | null
}

export interface BegunConnect {
  /** The provider's page, where somebody signs in and consents. */
  url: string
  expiresAt: string
}

/** What came of it, as far as the provider says; the nameservers decide. */
export interface FinishedConnect {
  outcome: 'applied' | 'refused'
  message: string
  domain: Domain
}

/** What the operator publishes: the key in DNS, the templates with the providers. */
export interface PublishedConnect {
  key: { name: string; values: readonly string[] }
  templates: readonly PublishedTemplate[]
}

/** As Domain Connect has it, with more fields than these. */
interface PublishedTemplate {
  providerId: string
  serviceId: string
  serviceName: string
  [field: string]: unknown
}

/** An apply link at the sandbox registrar, in its parts. */
export interface ApplyRequest {
  provider: string
  service: string
  query: string
}

/** What somebody is asked to agree to there. */
export interface ConnectConsent {
  provider: string
  service: string
  hostname: string
  adds: { type: string; name: string; value: string }[]
  removes: { type: string; name: string; value: string }[]
}
