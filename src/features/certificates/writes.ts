import './tables.ts'
import { announce } from '../../platform/storage/change-feed.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import { finishWork, type Lease } from '../../platform/work/lease.ts'
import { isCertificateAtRisk } from '../domains/lifecycle.ts'
import { lateNews, liveNews, renewalNews } from '../domains/notifications/news.ts'
import { announceDomains } from '../domains/topics.ts'
import { notify } from '../domains/notifications/notifications.ts'
import { findServedDomain } from '../domains/queries.ts'
import type { CaLimits } from './budget/budget.ts'
import { ensureIssuance, forgetAnswers } from './issuance-row.ts'
import { INTERNAL_CA_ID, type IssuanceOrder, type IssuanceProblem, VALIDATION_PROBLEMS } from './issuer.ts'
import { chargeBudget } from './budget/meters.ts'
import { type CertificateRow, findNewestCertificate } from './queries.ts'

/** Announced with a hostname whenever the certificate that it is served with has changed. */
export const CERTIFICATES_TOPIC = 'certificates'

/** The contract's promise is "a couple of minutes", and its troubleshooting begins here. */
const LATE_MS = 30 * 60_000

export interface IssuanceFailure {
  lease: Lease
  problem: IssuanceProblem
  /** The order that is over; null when it stands, or when none was made. */
  failedOrder: IssuanceOrder | null
  limits: CaLimits | null
  nextAttemptAt: number
  now: number
}

export const recordFailure = defineWrite('certificates.recordFailure', async (db, input: IssuanceFailure, engine) => {
  const { lease, problem, failedOrder, limits, now } = input
  const hostname = lease.subject
  if (!(await finishWork(db, engine, lease, { nextDueAt: input.nextAttemptAt }))) return { kind: 'lost' as const }
  await ensureIssuance(db, hostname, now)
  await db
    .updateTable('issuances')
    .set((eb) => ({
      failures: eb('failures', '+', 1),
      attempted_at: now,
      problem: JSON.stringify(problem),
      ...(failedOrder ? { issuance_order: null, sealed_key: null } : {}),
    }))
    .where('hostname', '=', hostname)
    .execute()
  if (failedOrder) {
    await forgetAnswers(db, hostname)
    const { issuer, names, replaces } = failedOrder
    const account = { issuer, limits, now }
    await chargeBudget(db, engine, account, { kind: 'order_failed', names, replacing: replaces !== null })
    if (VALIDATION_PROBLEMS.has(problem.code)) {
      await chargeBudget(db, engine, account, { kind: 'validation_failed', hostname })
    }
  }
  await warn(db, engine, hostname, problem, now)
  const [domain] = await findServedDomain(db, { hostname })
  return { kind: 'recorded' as const, projectId: domain?.project_id ?? null }
})

export interface IssuedCertificate {
  lease: Lease
  certificate: CertificateRow
  nextDueAt: number
  now: number
}

/** From this transaction on every instance serves it, within a second. */
export const storeCertificate = defineWrite('certificates.store', async (db, input: IssuedCertificate, engine) => {
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
  await announce(db, engine, CERTIFICATES_TOPIC, hostname, now)
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
})

/** The hostname is served by nobody any more: its order is dropped. Certificates stay, for whoever adds it again. */
export const endIssuance = defineWrite('certificates.end', async (db, { lease }: { lease: Lease }, engine) => {
  if (!(await finishWork(db, engine, lease, { nextDueAt: null }))) return false
  await db.deleteFrom('issuances').where('hostname', '=', lease.subject).execute()
  await forgetAnswers(db, lease.subject)
  return true
})

export const markRevoked = defineWrite(
  'certificates.markRevoked',
  async (db, input: { id: string; hostname: string; projectId: number; now: number }, engine) => {
    await db.updateTable('certificates').set({ revoked_at: input.now }).where('id', '=', input.id).execute()
    await announce(db, engine, CERTIFICATES_TOPIC, input.hostname, input.now)
  },
)

export const saveAdvice = defineWrite(
  'certificates.saveAdvice',
  async (
    db,
    input: { lease: Lease; id: string; renewAt: number; adviceDueAt: number; advice: string | null; nextDueAt: number },
    engine,
  ) => {
    if (!(await finishWork(db, engine, input.lease, { nextDueAt: input.nextDueAt }))) return false
    await db
      .updateTable('certificates')
      .set({ renew_at: input.renewAt, advice_due_at: input.adviceDueAt, advice: input.advice })
      .where('id', '=', input.id)
      .execute()
    return true
  },
)

async function warn(db: Db, engine: Engine, hostname: string, problem: IssuanceProblem, now: number): Promise<void> {
  const [domain] = await findServedDomain(db, { hostname })
  if (!domain) return
  const certificate = await findNewestCertificate(db, hostname)
  if (certificate) {
    const life = { notBefore: certificate.not_before, notAfter: certificate.not_after }
    const news = renewalNews(domain, life.notAfter, problem.message)
    if (isCertificateAtRisk(life, now)) await notify(db, engine, news, now)
    return
  }
  const { since } = await db
    .selectFrom('issuances')
    .select('since')
    .where('hostname', '=', hostname)
    .executeTakeFirstOrThrow()
  if (now - since >= LATE_MS) await notify(db, engine, lateNews(domain, since, problem.message), now)
}
