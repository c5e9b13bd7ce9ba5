import type { ConnectTemplate, TemplateRecord } from '../../../platform/domain-connect/template.ts'
import { PROOF_PREFIX } from '../claims.ts'
import { CHALLENGE_LABEL } from '../preparation/challenge-zone.ts'
import { PROOF_LABEL, RECORD_TTL_SECONDS } from '../record.ts'

interface TemplateInput {
  providerId: string
  platformHost: string
  /** Where people come back to: the host of the dashboard. */
  dashboardHost: string
  /** The edge's public addresses: an apex cannot have a CNAME. */
  addresses: { v4: readonly string[]; v6: readonly string[] }
  /** The zone in which certificates are proved; undefined where nothing can be prepared. */
  challengeApex: string | undefined
}

/** The label below `syncPubKeyDomain` at which the public key stands. */
export const KEY_LABEL = '_dcpubkeyv1'

/** The groups of records: what leads visitors here, the proof that is asked of some, and what certificates need. */
export const GROUPS = { site: 'site', proof: 'proof', challenge: 'challenge' } as const

/**
 * The services that DNS providers are asked to know: the site at a name below a zone, the site at the zone itself, and
 * the certificate of either before it leads here. That is one of its own, so that its own question says whether a
 * provider knows it, and so that applying the site later takes nothing of it away.
 */
export const SERVICES = { subdomain: 'site', apex: 'site-apex', prepare: 'prepare' } as const

/**
 * The templates of this installation, as they are offered for publication. As little as possible is variable: the
 * project's label of the target, the digits of the proof, and the label of the challenges.
 */
export function connectTemplates(input: TemplateInput): ConnectTemplate[] {
  const { providerId, platformHost, dashboardHost, addresses, challengeApex } = input
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
  if (challengeApex === undefined) return [subdomain, apex]
  const challenge: TemplateRecord = {
    type: 'CNAME',
    groupId: GROUPS.challenge,
    host: CHALLENGE_LABEL,
    ttl: RECORD_TTL_SECONDS,
    pointsTo: `%challenge%.${challengeApex}`,
  }
  const prepare: ConnectTemplate = {
    ...common,
    serviceId: SERVICES.prepare,
    serviceName: 'Certificate before the switch',
    description: 'Lets a certificate be issued and renewed for a name, and leaves where its visitors go as it is.',
    variableDescription:
      'proof: digits that prove whose the name is; challenge: label of the name at which certificates are proved',
    records: [proof, challenge],
  }
  return [subdomain, apex, prepare]
}
