import '../tables.ts'
import { X509Certificate } from 'node:crypto'
import type { Selectable } from 'kysely'
import { defineWrite } from '../../../platform/storage/storage.ts'
import type { Db, Tables } from '../../../platform/storage/tables.ts'
import type { RevocationReason } from '../issuer.ts'

export type RevokedCertificate = Selectable<Tables['revoked_certificates']>

export const recordRevocation = defineWrite('certificates.recordRevocation', async (db, row: RevokedCertificate) => {
  await db
    .insertInto('revoked_certificates')
    .values(row)
    .onConflict((conflict) => conflict.column('serial').doNothing())
    .execute()
})

/** Expired certificates are refused anyway, and need no place in the list. */
export function listRevoked(db: Db, now: number): Promise<RevokedCertificate[]> {
  return db
    .selectFrom('revoked_certificates')
    .selectAll()
    .where('not_after', '>', now)
    .orderBy('revoked_at')
    .orderBy('serial')
    .execute()
}

export function revokedRow(certificatePem: string, reason: RevocationReason, now: number): RevokedCertificate {
  const { serialNumber, validToDate } = new X509Certificate(certificatePem)
  return { serial: serialNumber, reason, revoked_at: now, not_after: validToDate.getTime() }
}
