import '../tables.ts'
import { defineWrite } from '../../../platform/storage/storage.ts'
import type { Db, Engine } from '../../../platform/storage/tables.ts'
import { finishWork, type Lease } from '../../../platform/work/lease.ts'
import { CERTIFICATE_LATE_MS, isCertificateAtRisk } from '../../domains/lifecycle.ts'
import { endedNews, lateNews, renewalNews } from '../../domains/notifications/news.ts'
import { notify } from '../../domains/notifications/notifications.ts'
import { findServedDomain } from '../../domains/queries.ts'
import type { IssuanceProblem } from '../issuer.ts'
import { findIssuance, findNewestCertificate } from '../queries.ts'
import { lifeOf } from './attempt.ts'

/** The authority has asked to be left alone until later: nothing is tried before, and people hear if that is late. */
export const waitForAuthority = defineWrite(
  'certificates.waitForAuthority',
  async (db, input: { lease: Lease; dueAt: number; now: number }, engine) => {
    if (!(await finishWork(db, engine, input.lease, { nextDueAt: input.dueAt }))) return
    await tellOfTrouble(db, engine, input.lease.subject, input.now)
  },
)

/** Tells the people of a domain what keeps its certificate away, once it is late, at risk or has ended. */
export async function tellOfTrouble(db: Db, engine: Engine, hostname: string, now: number): Promise<void> {
  const [domain] = await findServedDomain(db, { hostname })
  const issuance = await findIssuance(db, hostname)
  if (!domain || !issuance?.problem) return
  const { message } = JSON.parse(issuance.problem) as IssuanceProblem
  const certificate = await findNewestCertificate(db, hostname)
  if (!certificate) {
    if (now - issuance.since < CERTIFICATE_LATE_MS) return
    await notify(db, engine, lateNews(domain, issuance.since, message), now)
    return
  }
  const life = lifeOf(certificate)
  if (life.notAfter <= now) await notify(db, engine, endedNews(domain, life.notAfter, message), now)
  else if (isCertificateAtRisk(life, now)) await notify(db, engine, renewalNews(domain, life.notAfter, message), now)
}
