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
  projectId: number
}

/** The authority has asked to be left alone until later: nothing is tried before, and people hear if that is late. */
export const waitForAuthority = defineWrite(
  'certificates.waitForAuthority',
  async (db, input: { lease: Lease; dueAt: number; now: number }, engine) => {
    if (!(await finishWork(db, engine, input.lease, { nextDueAt: input.dueAt }))) return undefined
    return tellOfTrouble(db, engine, input.lease.subject, input.now)
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
  hostname: string,
  now: number,
): Promise<Expiring | undefined> {
  const [domain] = await findServedDomain(db, { hostname })
  const issuance = await findIssuance(db, hostname)
  if (!domain || !issuance?.problem) return undefined
  const { message } = JSON.parse(issuance.problem) as IssuanceProblem
  const certificate = await findNewestCertificate(db, hostname)
  if (!certificate) {
    if (now - issuance.since >= CERTIFICATE_LATE_MS) {
      await notify(db, engine, lateNews(domain, issuance.since, message), now)
    }
    return undefined
  }
  if (certificate.not_after > now) return tellOfLife(db, engine, hostname, now)
  await notify(db, engine, endedNews(domain, certificate.not_after, message), now)
  return undefined
}

/** Tells once at each step of the life that is left to a certificate whose renewal is overdue. */
export async function tellOfLife(db: Db, engine: Engine, hostname: string, now: number): Promise<Expiring | undefined> {
  const certificate = await findNewestCertificate(db, hostname)
  const left = certificate && certificate.not_after > now ? lifeStep(certificate, now) : undefined
  if (!certificate || left === undefined) return undefined
  const [domain] = await findServedDomain(db, { hostname })
  if (!domain) return undefined
  const issuance = await findIssuance(db, hostname)
  const problem = issuance?.problem ? (JSON.parse(issuance.problem) as IssuanceProblem) : undefined
  const notAfter = certificate.not_after
  const news = renewalNews(domain, { notAfter, left }, problem?.message ?? 'Its renewal is overdue.')
  return (await notify(db, engine, news, now)) ? { left, notAfter, projectId: domain.project_id } : undefined
}
