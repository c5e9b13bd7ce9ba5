import '../tables.ts'
import { iso } from '../../../platform/iso-date.ts'
import type { AuditNote } from '../../../platform/storage/audit-note.ts'
import { defineWrite } from '../../../platform/storage/storage.ts'
import type { Db, Engine } from '../../../platform/storage/tables.ts'
import { finishWork, type Lease } from '../../../platform/work/lease.ts'
import { CERTIFICATE_LATE_MS } from '../../domains/lifecycle.ts'
import { endedNews, lateNews, renewalNews } from '../../domains/notifications/news.ts'
import { notify } from '../../domains/notifications/notifications.ts'
import { findServedDomain } from '../../domains/queries.ts'
import type { IssuanceProblem } from '../issuer.ts'
import { findIssuance, findNewestCertificate } from '../queries.ts'
import { type LifeStep, lifeStep } from '../watching/life.ts'

/** A certificate that nears its end without a successor. */
export interface Expiring {
  left: LifeStep
  notAfter: number
  /** Null for a name of the platform itself. */
  projectId: number | null
}

export interface CertifiedName {
  hostname: string
  /** As whoever looks at it has found: a domain's row goes with its project, and tells nothing any more. */
  isPlatforms: boolean
}

/** The authority has asked to be left alone until later: nothing is tried before, and people hear if that is late. */
export const waitForAuthority = defineWrite(
  'certificates.waitForAuthority',
  async (db, input: { lease: Lease; isPlatforms: boolean; dueAt: number; now: number }, engine) => {
    if (!(await finishWork(db, engine, input.lease, { nextDueAt: input.dueAt }))) return undefined
    const { lease, isPlatforms, now } = input
    return tellOfTrouble(db, engine, { hostname: lease.subject, isPlatforms }, now)
  },
  { note: ({ lease }, told) => told && expiringNote(lease.subject, told) },
)

export const expiringNote = (subject: string, { left, notAfter, projectId }: Expiring): AuditNote => ({
  verb: 'certificate.expiring',
  subject,
  projectId,
  details: { left: `${left} %`, notAfter: iso(notAfter) },
})

/** Tells the people of a domain what keeps its certificate away, once it is late, runs out or has ended. */
export async function tellOfTrouble(
  db: Db,
  engine: Engine,
  name: CertifiedName,
  now: number,
): Promise<Expiring | undefined> {
  const { hostname } = name
  const [domain] = await findServedDomain(db, { hostname })
  const issuance = await findIssuance(db, hostname)
  if (!issuance?.problem) return undefined
  if (!domain) return tellOfLife(db, engine, name, now)
  const { message } = JSON.parse(issuance.problem) as IssuanceProblem
  const certificate = await findNewestCertificate(db, hostname)
  if (!certificate) {
    if (now - issuance.since >= CERTIFICATE_LATE_MS) {
      await notify(db, engine, lateNews(domain, issuance.since, message), now)
    }
    return undefined
  }
  if (certificate.not_after > now) return tellOfLife(db, engine, name, now)
  await notify(db, engine, endedNews(domain, certificate.not_after, message), now)
  return undefined
}

/** Tells once at each step of the life that is left to a certificate whose renewal is overdue. */
export async function tellOfLife(
  db: Db,
  engine: Engine,
  { hostname, isPlatforms }: CertifiedName,
  now: number,
): Promise<Expiring | undefined> {
  const certificate = await findNewestCertificate(db, hostname)
  const left = certificate && certificate.not_after > now ? lifeStep(certificate, now) : undefined
  if (!certificate || left === undefined) return undefined
  const [domain] = await findServedDomain(db, { hostname })
  const notAfter = certificate.not_after
  if (!domain) {
    const isTold = isPlatforms && (await isNewsToOperators(db, hostname, notAfter, left))
    return isTold ? { left, notAfter, projectId: null } : undefined
  }
  const issuance = await findIssuance(db, hostname)
  const problem = issuance?.problem ? (JSON.parse(issuance.problem) as IssuanceProblem) : undefined
  const news = renewalNews(domain, { notAfter, left }, problem?.message ?? 'Its renewal is overdue.')
  return (await notify(db, engine, news, now)) ? { left, notAfter, projectId: domain.project_id } : undefined
}

/** Names of the platform are no project's: an event of no project tells of them, and a mail to every operator. */
async function isNewsToOperators(db: Db, hostname: string, notAfter: number, percent: LifeStep): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('told_lives')
    .values({ hostname, not_after: notAfter, percent })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Boolean(numInsertedOrUpdatedRows)
}

/** Whether operators have heard that this name's certificate runs out; from now on they have not. */
export async function forgetTold(db: Db, hostname: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('told_lives').where('hostname', '=', hostname).executeTakeFirst()
  return numDeletedRows > 0n
}
