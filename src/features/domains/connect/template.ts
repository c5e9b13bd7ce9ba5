import type { ConnectTemplate, TemplateRecord } from '../../../platform/domain-connect/template.ts'
import { PROOF_PREFIX } from '../claims.ts'
import { PROOF_LABEL, RECORD_TTL_SECONDS } from '../record.ts'

interface TemplateInput {
  providerId: string
  platformHost: string
  /** Where people come back to: the host of the dashboard. */
  dashboardHost: string
  /** The edge's public addresses: an apex cannot have a CNAME. */
  addresses: { v4: readonly string[]; v6: readonly string[] }
}

/** The label below `syncPubKeyDomain` at which the public key stands. */
export const KEY_LABEL = '_dcpubkeyv1'

/** The groups of records: what leads visitors here, and the proof that is asked of some. */
export const GROUPS = { site: 'site', proof: 'proof' } as const

/** The two services that DNS providers are asked to know: one for a name below a zone, one for the zone itself. */
export const SERVICES = { subdomain: 'site', apex: 'site-apex' } as const

/**
 * The templates of this installation, as they are offered for publication. As little as possible is variable: the
 * project's label of the target, and the digits of the proof.
 */
export function connectTemplates({ providerId, platformHost, dashboardHost, addresses }: TemplateInput) {
  const common = {
    providerId,
    providerName: 'Petstore',
    version: 1,
    syncPubKeyDomain: platformHost,
    syncRedirectDomain: dashboardHost,
  }
  const proof: TemplateRecord = {
    type: 'TXT',
    groupId: GROUPS.proof,
    host: PROOF_LABEL,
    data: `${PROOF_PREFIX}%proof%`,
    ttl: RECORD_TTL_SECONDS,
    // Once the domain is verified the record may go.
    essential: 'OnApply',
    txtConflictMatchingMode: 'Prefix',
    txtConflictMatchingPrefix: PROOF_PREFIX,
  }
  const at = { groupId: GROUPS.site, host: '@', ttl: RECORD_TTL_SECONDS }
  const subdomain: ConnectTemplate = {
    ...common,
    serviceId: SERVICES.subdomain,
    serviceName: 'Site at a subdomain',
    description: 'Leads a subdomain to a site that is published here.',
    variableDescription: 'target: label of the target of the project; proof: digits that prove whose the name is',
    hostRequired: true,
    records: [{ type: 'CNAME', ...at, pointsTo: `%target%.${platformHost}` }, proof],
  }
  const apex: ConnectTemplate = {
    ...common,
    serviceId: SERVICES.apex,
    serviceName: 'Site at a domain',
    description: 'Leads a domain without a subdomain to a site that is published here.',
    variableDescription: 'proof: digits that prove whose the name is',
    records: [
      ...addresses.v4.map((pointsTo): TemplateRecord => ({ type: 'A', ...at, pointsTo })),
      ...addresses.v6.map((pointsTo): TemplateRecord => ({ type: 'AAAA', ...at, pointsTo })),
      proof,
    ],
  }
  return { subdomain, apex }
}
