import './tables.ts'
import { publishChange } from '../../platform/storage/change-feed.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import { finishWork, type Lease } from '../../platform/work/lease.ts'

/** Announced with a hostname whenever the certificate that it is served with has changed. */
export const CERTIFICATES_TOPIC = 'certificates'

export const markRevoked = defineWrite(
  'certificates.markRevoked',
  async (db, input: { id: string; hostname: string; projectId: number; now: number }, engine) => {
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
