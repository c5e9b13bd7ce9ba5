import '../tables.ts'
import { iso } from '../../../platform/iso-date.ts'
import { publishChange } from '../../../platform/storage/change-feed.ts'
import { defineWrite } from '../../../platform/storage/storage.ts'
import { finishWork, type Lease } from '../../../platform/work/lease.ts'
import { liveNews } from '../../domains/notifications/news.ts'
import { notify } from '../../domains/notifications/notifications.ts'
import { findServedDomain } from '../../domains/queries.ts'
import { announceDomains } from '../../domains/topics.ts'
import type { CaLimits } from '../budget/limits.ts'
import { chargeBudget, keepRetryAfter } from '../budget/meters.ts'
import { INTERNAL_CA_ID, type IssuanceOrder, type IssuanceProblem, VALIDATION_PROBLEMS } from '../issuer.ts'
import { type CertificateRow, findNewestCertificate } from '../queries.ts'
import { keptRetryAfterMs } from '../renewal.ts'
import { CERTIFICATES_TOPIC } from '../writes.ts'
import { ensureIssuance, forgetAnswers } from './order-writes.ts'
import { tellOfTrouble } from './trouble.ts'

interface IssuanceFailure {
  lease: Lease
  problem: IssuanceProblem
  /** The order that is over; undefined when it stands, or when none was made. */
  failedOrder: IssuanceOrder | undefined
  issuer: string
  limits: CaLimits | undefined
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
    const { lease, problem, failedOrder, issuer, limits, isExtra, now } = input
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
        ...(failedOrder ? { issuance_order: null, sealed_key: null } : {}),
      }))
      .where('hostname', '=', hostname)
      .execute()
    if (problem.retryAfterMs !== null) {
      await keepRetryAfter(db, issuer, hostname, now + keptRetryAfterMs(problem.retryAfterMs))
    }
    if (failedOrder) {
      await forgetAnswers(db, hostname)
      const { names, replaces } = failedOrder
      const account = { issuer, limits, now }
      await chargeBudget(db, engine, account, { kind: 'order_failed', names, replacing: replaces !== null })
      if (VALIDATION_PROBLEMS.has(problem.code)) {
        await chargeBudget(db, engine, account, { kind: 'validation_failed', hostname })
      }
    }
    await tellOfTrouble(db, engine, hostname, now)
    const [domain] = await findServedDomain(db, { hostname })
    return { kind: 'recorded' as const, projectId: domain?.project_id ?? null }
  },
  {
    note({ lease, problem: { code } }, outcome) {
      if (outcome.kind !== 'recorded') return undefined
      return { verb: 'certificate.fail', subject: lease.subject, projectId: outcome.projectId, details: { code } }
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
      .execute()
    await db.deleteFrom('issuances').where('hostname', '=', hostname).execute()
    await forgetAnswers(db, hostname)
    await publishChange(db, engine, CERTIFICATES_TOPIC, hostname, now)
    const [domain] = await findServedDomain(db, { hostname })
    if (domain) {
      const { issuer_name: issuer, not_after: notAfter } = certificate
      await notify(db, engine, liveNews(domain, { issuer, notAfter }), now)
      await announceDomains(db, engine, { projectId: domain.project_id, hostnames: [hostname], now })
    }
    // The first one that was ordered replaces one of the internal CA, which was only there for the time being.
    const isStopgap = predecessor?.issuer === INTERNAL_CA_ID && certificate.issuer !== INTERNAL_CA_ID
    const renewed = predecessor !== undefined && !isStopgap
    return { kind: 'stored' as const, renewed, projectId: domain?.project_id ?? null }
  },
  {
    note({ certificate }, outcome) {
      if (outcome.kind !== 'stored') return undefined
      const { hostname: subject, issuer_name: issuer, serial, not_after } = certificate
      const verb = outcome.renewed ? 'certificate.renew' : 'certificate.issue'
      return { verb, subject, projectId: outcome.projectId, details: { issuer, serial, notAfter: iso(not_after) } }
    },
  },
)
