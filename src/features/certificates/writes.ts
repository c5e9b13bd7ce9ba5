import './tables.ts'
import { publishChange } from '../../platform/storage/change-feed.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import { finishWork, type Lease } from '../../platform/work/lease.ts'
import { takeRevocationWishes } from '../domains/claims.ts'
import { keepRetryAfter } from './budget/meters.ts'

/** Announced with a hostname whenever the certificate that it is served with has changed. */
export const CERTIFICATES_TOPIC = 'certificates'

/**
 * Takes on what people wanted who removed the domain: it is kept with the certificates that were theirs, and outlives
 * the domain and its project. Where nobody is served since, that is also one whose order was under way.
 */
export const wantRevoked = defineWrite(
  'certificates.wantRevoked',
  async (db, { hostname, isServed }: { hostname: string; isServed: boolean }) => {
    const wishes = await takeRevocationWishes(db, hostname)
    for (const wish of wishes) {
      await db
        .updateTable('certificates')
        .set({ revoke_for: wish.projectId })
        .where('hostname', '=', hostname)
        .where('revoke_for', 'is', null)
        .$if(isServed || wish !== wishes.at(-1), (query) => query.where('issued_at', '<=', wish.askedAt))
        .execute()
    }
  },
)

/** The authority has said for how long. */
export const leaveAlone = defineWrite(
  'certificates.leaveAlone',
  (db, { issuer, about, until }: { issuer: string; about: string; until: number }) =>
    keepRetryAfter(db, issuer, about, until),
)

export const markRevoked = defineWrite(
  'certificates.markRevoked',
  async (db, input: { id: string; hostname: string; projectId: number | null; now: number }, engine) => {
    await db.updateTable('certificates').set({ revoked_at: input.now }).where('id', '=', input.id).execute()
    await publishChange(db, engine, CERTIFICATES_TOPIC, input.hostname, input.now)
  },
  {
    note: ({ hostname, projectId, id }) => ({
      verb: 'certificate.revoke',
      subject: hostname,
      projectId,
      details: { id },
    }),
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
