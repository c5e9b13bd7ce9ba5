import type { Lease } from '../../platform/work/lease.ts'
import { postpone } from '../../platform/work/runner.ts'
import { isRevocationWanted } from '../domains/claims.ts'
import { stageOf } from '../domains/facts.ts'
import { findServedDomain } from '../domains/queries.ts'
import { findRetryAfters, findStandings } from './budget/meters.ts'
import { inTurn, stuckAt } from './choice/authority.ts'
import { continueOrder, nextLookAt, startOrder } from './order/order.ts'
import type { OrderNeeds } from './order/order-needs.ts'
import { INTERNAL_CA_ID, type IssuanceOrder, type RenewalWindow } from './issuer.ts'
import { attemptOf, lifeOf, wakeBy } from './order/attempt.ts'
import { waitForAuthority } from './order/trouble.ts'
import { endIssuance } from './order/order-writes.ts'
import { type CertificateRow, findIssuance, findNewestCertificate, listUnwanted } from './queries.ts'
import { keptRetryAfterMs, nextAttemptAt, renewalAt } from './renewal.ts'
import { leaveAlone, markRevoked, saveAdvice, wantRevoked } from './writes.ts'

/**
 * One look at one hostname, a custom domain's or the platform's own: goes on with its order, begins one, asks when to
 * renew, or ends it all because the hostname is not served any more. The certificate that is there goes on being
 * served whatever happens here.
 */
export async function reconcileCertificate(needs: OrderNeeds, lease: Lease, signal: AbortSignal): Promise<void> {
  const { storage, audited, clock, authorities, isPlatformName } = needs
  const hostname = lease.subject
  const isRevoking = await isRevocationWanted(storage.read, hostname)
  const [domain] = await findServedDomain(storage.read, { hostname })
  const isPlatforms = domain === undefined && (await isPlatformName(hostname))
  const isServed = domain !== undefined || isPlatforms
  if (isRevoking) await storage.write(wantRevoked, { hostname, isServed })
  if (!isServed) return end(needs, lease, signal)

  const issuance = await findIssuance(storage.read, hostname)
  const order = issuance?.issuance_order ? (JSON.parse(issuance.issuance_order) as IssuanceOrder) : undefined
  const newest = await findNewestCertificate(storage.read, hostname)
  const now = clock.now()
  const ids = authorities.map(({ issuer }) => issuer.id)
  const sealedKey = order && ids.includes(order.issuer) ? issuance?.sealed_key : undefined
  // One that somebody wants revoked is served until there is another in its place.
  const isDue = !newest || newest.revoke_for !== null || !ids.includes(newest.issuer) || newest.renew_at <= now
  if (!sealedKey && !isDue) return watchOver(needs, lease, newest, signal)

  // What the internal CA has made for the time being keeps no site alive once there is another authority.
  const predecessor = newest?.issuer === INTERNAL_CA_ID && !ids.includes(INTERNAL_CA_ID) ? undefined : newest
  const standings = await findStandings(storage.read, ids, hostname, now)
  const open = inTurn(authorities, standings)
  const retryAt = Math.min(...standings.values().map((standing) => standing.retryAt ?? Infinity))
  if (open.length === 0) {
    const dueAt = wakeBy(retryAt, predecessor, now)
    return void (await audited.write(waitForAuthority, { lease, isPlatforms, dueAt, now }))
  }
  const attempt = attemptOf({ lease, isPlatforms }, predecessor, issuance, now)
  // An order whose authority wants to be left alone is given up where another may be asked.
  const authority = open.find(({ issuer }) => issuer.id === order?.issuer)
  const start = { projectId: domain?.project_id, stage: domain && stageOf(domain), since: issuance?.since ?? now }
  const begin = (before: IssuanceOrder | undefined) => {
    const limits = authorities.find(({ issuer }) => issuer.id === before?.issuer)?.limits
    const givenUp = before && { order: before, limits }
    return startOrder(needs, { authorities: open, retryAt, attempt, givenUp, ...start }, signal)
  }
  if (!authority || !order || !sealedKey) return begin(order)
  // An attempt has failed for it, so this one is looked at once more only: an authority that is slow has had the pause.
  const isStuck = (issuance?.attempted_at ?? 0) >= stuckAt(order.beganAt, predecessor?.not_after)
  await continueOrder(needs, { authority, attempt, order, sealedKey, beginAnew: isStuck ? begin : undefined }, signal)
}

/** Who issued it; undefined for an authority that is no longer configured. */
const issuerOf = ({ authorities }: OrderNeeds, id: string) => authorities.find(({ issuer }) => issuer.id === id)?.issuer

async function watchOver(
  needs: OrderNeeds,
  lease: Lease,
  certificate: CertificateRow,
  signal: AbortSignal,
): Promise<void> {
  const { storage, clock, random } = needs
  const retryAt = await revokeUnwanted(needs, lease, signal)
  const issuer = issuerOf(needs, certificate.issuer)
  if (issuer === undefined || certificate.advice_due_at === null || certificate.advice_due_at > clock.now()) {
    const failures = retryAt === undefined ? 0 : lease.failures + 1
    await storage.write(postpone, { lease, dueAt: Math.min(nextLookAt(certificate), retryAt ?? Infinity), failures })
    return
  }
  const { window, checkAgainMs } = await issuer.renewalAdvice(certificate.chain, signal)
  const advice = JSON.stringify(window)
  // The same window keeps the moment that was chosen in it; no answer keeps the last one.
  const isNews = window !== undefined && advice !== certificate.advice
  const renewAt = isNews ? planFor(certificate, window, random) : certificate.renew_at
  const adviceDueAt = clock.now() + checkAgainMs
  await storage.write(saveAdvice, {
    lease,
    id: certificate.id,
    renewAt,
    adviceDueAt,
    advice: window === undefined ? certificate.advice : advice,
    nextDueAt: Math.min(renewAt, adviceDueAt, retryAt ?? Infinity),
  })
}

const planFor = (row: CertificateRow, window: RenewalWindow, random: () => number) =>
  renewalAt(lifeOf(row), window, row.issued_at, random)

async function end(needs: OrderNeeds, lease: Lease, signal: AbortSignal): Promise<void> {
  const { storage } = needs
  const retryAt = await revokeUnwanted(needs, lease, signal)
  if (retryAt === undefined) return void (await storage.write(endIssuance, { lease }))
  await storage.write(postpone, { lease, dueAt: retryAt, failures: lease.failures + 1 })
}

/** Revokes what people wanted who removed the domain, whoever has had it since. Where one fails: when to try again. */
async function revokeUnwanted(needs: OrderNeeds, lease: Lease, signal: AbortSignal): Promise<number | undefined> {
  const { storage, audited, clock, random } = needs
  const hostname = lease.subject
  // Not what orders of the name are to wait for.
  const about = `revocation of ${hostname}`
  let retryAt: number | undefined
  for (const { id, chain, issuer: issuedBy, revoke_for } of await listUnwanted(storage.read, hostname, clock.now())) {
    const issuer = issuerOf(needs, issuedBy)
    if (issuer === undefined) continue
    const now = clock.now()
    const left = await findRetryAfters(storage.read, issuedBy, [about], now)
    const outcome = left.size === 0 ? await issuer.revoke(chain, 'cessationOfOperation', signal) : undefined
    if (outcome?.revoked) {
      await audited.write(markRevoked, { id, hostname, projectId: revoke_for, now: clock.now() })
      continue
    }
    // The others may be of an authority that can be reached: it is asked sooner than one that wants to be left alone.
    const retryAfterMs = outcome?.problem.retryAfterMs ?? null
    if (retryAfterMs !== null) {
      await storage.write(leaveAlone, { issuer: issuedBy, about, until: now + keptRetryAfterMs(retryAfterMs) })
    }
    const next = nextAttemptAt({ now, failures: lease.failures + 1, retryAfterMs }, random)
    retryAt = Math.min(left.get(about) ?? next, retryAt ?? Infinity)
  }
  return retryAt
}
