import '../tables.ts'
import { iso } from '../../../platform/iso-date.ts'
import { publishChange } from '../../../platform/storage/change-feed.ts'
import { defineWrite } from '../../../platform/storage/storage.ts'
import { finishWork, type Lease } from '../../../platform/work/lease.ts'
import { liveNews, readyNews, renewedNews } from '../../domains/notifications/news.ts'
import { notify, wasToldOf } from '../../domains/notifications/notifications.ts'
import { findServedDomain } from '../../domains/queries.ts'
import { announceDomains } from '../../domains/topics.ts'
import type { CaLimits } from '../budget/limits.ts'
import { chargeBudget, keepRest, keepRetryAfter } from '../budget/meters.ts'
import { authorityName, type Rest } from '../choice/authority.ts'
import { INTERNAL_CA_ID, type IssuanceOrder, type IssuanceProblem, VALIDATION_PROBLEMS } from '../issuer.ts'
import { type CertificateRow, findNewestCertificate } from '../queries.ts'
import { keptRetryAfterMs } from '../renewal.ts'
import { CERTIFICATES_TOPIC } from '../writes.ts'
import { dropOrder, ensureIssuance, forgetAnswers } from './order-writes.ts'
import { expiringNote, forgetTold, tellOfTrouble } from './trouble.ts'

interface FailedAt {
  issuer: string
  limits: CaLimits | undefined
  /** The order that does not go on; undefined when it stands. */
  droppedOrder: IssuanceOrder | undefined
  /** Whether the authority has ended that order, or it was only given up. */
  isOver: boolean
  /** For whom others come before this authority from now on. */
  rest: Rest | undefined
}

interface IssuanceFailure {
  lease: Lease
  isPlatforms: boolean
  problem: IssuanceProblem
  /** Where it failed; undefined where no authority has been asked. */
  at: FailedAt | undefined
  /** Another authority is asked at once. */
  takesOver: boolean
  /** When the next attempt comes by itself. */
  nextAttemptAt: number
  /** Asked for by a person: it does not count among the failures after which pauses grow. */
  isExtra: boolean
  /** When to look again, which may be sooner. */
  nextDueAt: number
  now: number
}

export const recordFailure = defineWrite(
  'certificates.recordFailure',
  async (db, input: IssuanceFailure, engine) => {
    const { lease, isPlatforms, problem, at, isExtra, now } = input
    const dropped = at?.droppedOrder
    const hostname = lease.subject
    if (!(await finishWork(db, engine, lease, { nextDueAt: input.nextDueAt }))) return { kind: 'lost' as const }
    await ensureIssuance(db, hostname, now)
    await db
      .updateTable('issuances')
      .set((eb) => ({
        failures: eb('failures', '+', isExtra ? 0 : 1),
        attempted_at: now,
        next_attempt_at: input.nextAttemptAt,
        problem: JSON.stringify(problem),
        ...(dropped ? { issuance_order: null, sealed_key: null } : {}),
      }))
      .where('hostname', '=', hostname)
      .execute()
    if (at && problem.retryAfterMs !== null) {
      await keepRetryAfter(db, at.issuer, hostname, now + keptRetryAfterMs(problem.retryAfterMs))
    }
    if (at?.rest) await keepRest(db, at.issuer, at.rest)
    if (at && dropped) {
      await dropOrder(db, engine, hostname, { ...at, order: dropped, now })
      if (VALIDATION_PROBLEMS.has(problem.code)) {
        await chargeBudget(db, engine, { ...at, now }, { kind: 'validation_failed', hostname })
      }
    }
    const told = input.takesOver ? undefined : await tellOfTrouble(db, engine, { hostname, isPlatforms }, now)
    const [domain] = await findServedDomain(db, { hostname })
    return { kind: 'recorded' as const, told, projectId: domain?.project_id ?? null }
  },
  {
    note({ lease, problem: { code }, at }, outcome) {
      if (outcome.kind !== 'recorded') return undefined
      const details = { code, ...(at && { authority: authorityName(at.issuer) }) }
      const { told, projectId } = outcome
      const failure = { verb: 'certificate.fail', subject: lease.subject, projectId, details }
      return told ? [failure, expiringNote(lease.subject, told)] : failure
    },
  },
)

interface IssuedCertificate {
  lease: Lease
  certificate: CertificateRow
  nextDueAt: number
  now: number
}

/** From this transaction on every instance serves it, within a second. */
export const storeCertificate = defineWrite(
  'certificates.store',
  async (db, input: IssuedCertificate, engine) => {
    const { lease, certificate, now } = input
    const { hostname } = certificate
    if (!(await finishWork(db, engine, lease, { nextDueAt: input.nextDueAt }))) return { kind: 'lost' as const }
    const predecessor = await findNewestCertificate(db, hostname)
    await db.insertInto('certificates').values(certificate).execute()
    // The one before stays until it expires, in case the new one has to be withdrawn; those before it are no use.
    await db
      .deleteFrom('certificates')
      .where('hostname', '=', hostname)
      .where('id', 'not in', [certificate.id, predecessor?.id ?? ''])
      .where('revoke_for', 'is', null)
      .execute()
    await db.deleteFrom('issuances').where('hostname', '=', hostname).execute()
    await forgetAnswers(db, hostname)
    await publishChange(db, engine, CERTIFICATES_TOPIC, hostname, now)
    const [domain] = await findServedDomain(db, { hostname })
    if (domain) {
      const { issuer_name: issuer, not_after: notAfter } = certificate
      const isHere = domain.verified_at !== null
      await notify(db, engine, (isHere ? liveNews : readyNews)(domain, { issuer, notAfter }), now)
      if (
        predecessor &&
        (await wasToldOf(db, domain.id, ['renewal_at_risk', 'certificate_ended'], predecessor.not_after))
      ) {
        await notify(db, engine, renewedNews(domain, { issuer, notAfter }), now)
      }
      await announceDomains(db, engine, { projectId: domain.project_id, hostnames: [hostname], now })
    }
    // The first one that was ordered replaces one of the internal CA, which was only there for the time being.
    const isStopgap = predecessor?.issuer === INTERNAL_CA_ID && certificate.issuer !== INTERNAL_CA_ID
    const renewed = predecessor !== undefined && !isStopgap
    const wasLate = await forgetTold(db, hostname)
    return { kind: 'stored' as const, renewed, wasLate, projectId: domain?.project_id ?? null }
  },
  {
    note({ certificate }, outcome) {
      if (outcome.kind !== 'stored') return undefined
      const { hostname: subject, issuer_name: issuer, serial, not_after } = certificate
      const authority = authorityName(certificate.issuer)
      const verb = outcome.renewed ? 'certificate.renew' : 'certificate.issue'
      return {
        verb,
        subject,
        projectId: outcome.projectId,
        details: { issuer, authority, serial, notAfter: iso(not_after), ...(outcome.wasLate && { wasLate: true }) },
      }
    },
  },
)
