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

/** As Domain Connect has it. */
interface PublishedTemplate {
  providerId: string
  providerName: string
  serviceId: string
  serviceName: string
  version: number
  description: string
  variableDescription: string
  syncPubKeyDomain: string
  syncRedirectDomain: string
  hostRequired?: true
  records: readonly TemplateRecord[]
}

interface TemplateRecord {
  groupId: string
  type: 'A' | 'AAAA' | 'CNAME' | 'TXT'
  host: string
  ttl: number
  /** Of all but TXT. */
  pointsTo?: string
  /** Of TXT, like all that follows. */
  data?: string
  essential?: 'OnApply'
  txtConflictMatchingMode?: 'None' | 'All' | 'Prefix'
  txtConflictMatchingPrefix?: string
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
