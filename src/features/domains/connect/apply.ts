import { randomBytes } from 'node:crypto'
import { signedQuery } from '../../../platform/domain-connect/signature.ts'
import { conflict, invalid, notFound } from '../../../platform/errors.ts'
import { iso } from '../../../platform/iso-date.ts'
import { enterOrRefuse, refuseUsedUp } from '../../../platform/share.ts'
import { PROOF_PREFIX } from '../claims.ts'
import { type DomainDetailsNeeds, loadDomainView } from '../details.ts'
import {
  type DomainActor,
  type DomainsNeeds,
  requireDomain,
  requireEditor,
  showDomain,
  verifyDomain,
} from '../domains.ts'
import type { DomainShares } from '../observation/shares.ts'
import { findTargetLabel } from '../queries.ts'
import { isWildcard } from '../preparation/challenge-zone.ts'
import type { RecordAdvice } from '../record.ts'
import type { DomainView } from '../view.ts'
import type { Connect, Purpose } from './connect.ts'
import { closeRequest, openRequest, REQUEST_LIFE_MS } from './requests.ts'
import { GROUPS, KEY_LABEL } from './template.ts'

export interface ConnectNeeds extends DomainDetailsNeeds {
  shares: DomainShares
  /** Undefined where the operator has switched it off. */
  connect: Connect | undefined
}

export interface ConnectOffer {
  /** Whether the provider would write the records by itself. */
  offered: boolean
  /** Who runs the zone, where it says so. */
  provider: { name: string; zone: string; controlPanel: string | null } | null
  /** Why not, where there is something to say. */
  reason: string | null
}

const NO_OFFER = { kind: 'silent' } as const
const NOTHING: ConnectOffer = { offered: false, provider: null, reason: null }

/** Whether the domain can be connected by one click. */
export async function connectOffer(needs: ConnectNeeds, actor: DomainActor, hostname: string): Promise<ConnectOffer> {
  const { connect, shares } = needs
  const row = await requireDomain(needs, actor, hostname)
  // A provider writes records for a name, not for all below it.
  if (connect === undefined || isWildcard(row.hostname)) return NOTHING
  refuseUsedUp(shares.questions, row.project_id, 'DNS questions')
  using _ = enterOrRefuse(shares.live, row.project_id, 'Looks at DNS providers', 0)
  const purpose = purposeOf(await loadDomainView(needs, row))
  const offer = await connect.offerOf(row.project_id, row.hostname, purpose)
  if (offer.kind === 'silent') return NOTHING
  if (offer.kind === 'broken') return { ...NOTHING, reason: offer.reason }
  const { name, zone, controlPanel = null } = offer.provider
  const provider = { name, zone, controlPanel }
  if (offer.kind === 'by hand') return { offered: false, provider, reason: offer.reason }
  return { offered: true, provider, reason: null }
}

export interface BegunConnect {
  /** The provider's page, where somebody signs in and consents. */
  url: string
  expiresAt: string
}

/** Writes the request down, signs it, and says where to take it. */
export async function beginConnect(
  needs: ConnectNeeds,
  actor: DomainActor,
  input: { hostname: string; sessionId: string; slug: string },
): Promise<BegunConnect> {
  requireEditor(actor, 'Connecting a domain')
  const { storage, clock, connect } = needs
  const row = await requireDomain(needs, actor, input.hostname)
  const { hostname } = row
  if (connect === undefined) throw notFound('Domain Connect is off here: create the records by hand.')
  const domain = await showDomain(needs, actor, hostname)
  const { record } = domain
  const purpose = purposeOf(domain)
  const offer = isWildcard(hostname) ? NO_OFFER : await connect.offerOf(row.project_id, hostname, purpose)
  if (offer.kind !== 'offered') {
    throw conflict(`The DNS provider of ${hostname} does not take requests of ours: create the records by hand.`)
  }
  const { zone, name: provider } = offer.provider
  const target = (await findTargetLabel(storage.read, row.project_id)) as string
  const state = randomBytes(24).toString('base64url')
  const query = signedQuery(
    {
      domain: zone,
      ...(offer.isApex ? {} : { host: hostname.slice(0, -zone.length - 1) }),
      ...(purpose === 'prepare' ? forPreparation(record) : forSite(record, offer.isApex ? undefined : target)),
      redirect_uri: `${connect.dashboardUrl}/projects/${input.slug}/settings/domains/${hostname}`,
      state,
    },
    await connect.key.privateKey(),
    KEY_LABEL,
  )
  const { sessionId } = input
  const now = clock.now()
  const { project_id: projectId, id: domainId } = row
  await storage.write(openRequest, { state, domainId, projectId, hostname, sessionId, provider, now })
  return { url: `${offer.apply}?${query}`, expiresAt: iso(now + REQUEST_LIFE_MS) }
}

/** While a domain is being prepared, its two records; the switch itself comes when it is ready. */
const purposeOf = ({ preparedAt, verifiedAt, state }: DomainView): Purpose =>
  preparedAt !== null && verifiedAt === null && state !== 'ready' ? 'prepare' : 'site'

const digitsOf = ({ proof }: RecordAdvice) => proof && { proof: proof.value.slice(PROOF_PREFIX.length) }

const forSite = (record: RecordAdvice, target: string | undefined) => ({
  ...(target === undefined ? {} : { target }),
  groupId: record.proof ? `${GROUPS.site},${GROUPS.proof}` : GROUPS.site,
  ...digitsOf(record),
})

const forPreparation = (record: RecordAdvice) => ({
  ...digitsOf(record),
  challenge: record.challenge?.value.split('.', 1)[0] ?? '',
})

export interface FinishedConnect {
  outcome: 'applied' | 'refused'
  message: string
  domain: DomainView
}

/**
 * Somebody comes back from the provider. What the address says is proof of nothing: it only starts a check, and the
 * nameservers decide.
 */
export async function finishConnect(
  needs: DomainsNeeds & ConnectNeeds,
  actor: DomainActor,
  input: {
    hostname: string
    sessionId: string
    state: string
    error?: string | undefined
    description?: string | undefined
  },
): Promise<FinishedConnect> {
  requireEditor(actor, 'Connecting a domain')
  const row = await requireDomain(needs, actor, input.hostname)
  const { hostname, id: domainId, project_id: projectId } = row
  const { sessionId, state } = input
  const error = input.error === undefined ? undefined : errorOf(input.error)
  const back = { state, domainId, projectId, hostname, sessionId, error, now: needs.clock.now() }
  const provider = await needs.storage.write(closeRequest, back)
  if (provider === undefined) throw invalid(STRANGE)
  const isCancelled = error === 'access_denied' && input.description?.startsWith('user_cancel') === true
  // Another error may have come after the records were written.
  const domain = isCancelled ? await showDomain(needs, actor, hostname) : await verifyDomain(needs, actor, hostname)
  if (error === undefined) {
    return { outcome: 'applied', domain, message: `${provider} has taken the records. We are looking at them now.` }
  }
  const told = isCancelled ? 'you have cancelled it there' : ERRORS[error]
  const message = `${provider} has not created the records: ${told}. Try it again, or create them by hand.`
  return { outcome: 'refused', domain, message }
}

const STRANGE =
  'This answer belongs to no request of yours that is open: it was answered before, is older than an hour, or began ' +
  'in another browser. Nothing was changed. Choose Verify to see whether the records are there.'

/** The codes of RFC 6749, section 4.1.2.1, for people. */
const ERRORS = {
  invalid_request: 'it could not read our request',
  unauthorized_client: 'it does not take requests of this service',
  access_denied: 'it was not allowed, perhaps because the domain belongs to another account there',
  unsupported_response_type: 'it does not offer this way',
  invalid_scope: 'it does not know the records that we ask for',
  server_error: 'something failed there',
  temporarily_unavailable: 'it is not available at the moment',
} as const

/** What is not in the list is not repeated: anybody can write into an address. */
const errorOf = (code: string): keyof typeof ERRORS =>
  Object.hasOwn(ERRORS, code) ? (code as keyof typeof ERRORS) : 'server_error'
