import './tables.ts'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { DAY_MS, type Clock } from '../../platform/clock.ts'
import { defineWrite, type Storage } from '../../platform/storage/storage.ts'
import type { InternalCa } from './internal-ca.ts'
import { INTERNAL_CA_ID } from './issuer.ts'
import { type CertificateRow, findServedCertificate } from './queries.ts'
import { certificateKey, type ServedCertificate } from './store.ts'
import type { Vault } from './vault.ts'

interface Parts {
  storage: Storage
  clock: Clock
  vault: Vault
  ca: Pick<InternalCa, 'issue'>
  /** Its own addresses, and the subdomains of projects that exist: nobody else's handshake costs a signature. */
  isPlatformName(hostname: string): Promise<boolean>
}

/** Long before the end, so that an instance that nobody restarts serves a good one all the time. */
const RENEW_BEFORE_MS = 30 * DAY_MS

/** Of two instances that issue at once, the first is served by both. */
const keepPlatformCertificate = defineWrite(
  'certificates.keepPlatformCertificate',
  async (db, { row, goodUntil }: { row: CertificateRow; goodUntil: number }, engine) => {
    const { hostname, issued_at: now } = row
    if (engine === 'postgres') {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`certificate ${hostname}`}, 0))`.execute(db)
    }
    const [known] = await findServedCertificate(db, { hostname, now: goodUntil })
    if (known) return known
    await db.deleteFrom('certificates').where('hostname', '=', hostname).where('not_after', '<=', now).execute()
    await db.insertInto('certificates').values(row).execute()
    return row
  },
)

/**
 * Certificates of the platform's own names, issued by the internal CA when they are first asked for. They are kept,
 * because people who let their browser trust one by hand would have to do so again after every start.
 */
export function platformCertificates({ storage, clock, vault, ca, isPlatformName }: Parts) {
  async function issue(hostname: string): Promise<CertificateRow> {
    const { chainPem, privateKeyPem, leaf } = await ca.issue([hostname])
    const id = `crt_${randomUUID()}`
    const { serial, issuer, fingerprint, notBefore, notAfter } = leaf
    const row: CertificateRow = {
      id,
      hostname,
      issuer: INTERNAL_CA_ID,
      issuer_name: issuer,
      serial,
      fingerprint,
      chain: chainPem,
      sealed_key: vault.seal(certificateKey(id), privateKeyPem),
      not_before: notBefore,
      not_after: notAfter,
      issued_at: clock.now(),
      renew_at: notAfter - RENEW_BEFORE_MS,
      advice_due_at: null,
      advice: null,
      revoked_at: null,
    }
    return storage.write(keepPlatformCertificate, { row, goodUntil: clock.now() + RENEW_BEFORE_MS })
  }

  return async (hostname: string): Promise<ServedCertificate | undefined> => {
    if (!(await isPlatformName(hostname))) return undefined
    const [good] = await findServedCertificate(storage.read, { hostname, now: clock.now() + RENEW_BEFORE_MS })
    const row = good ?? (await issue(hostname))
    return { id: row.id, key: vault.open(certificateKey(row.id), row.sealed_key), cert: row.chain }
  }
}
