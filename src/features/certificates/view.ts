import type { Clock } from '../../platform/clock.ts'
import { iso } from '../../platform/iso-date.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { CertificateInfo, CertificatesOf, IssuanceView } from '../domains/view.ts'
import type { IssuanceOrder, IssuanceProblem } from './issuer.ts'
import { type CertificateRow, findNextAttempts, type IssuanceRow } from './queries.ts'

/** Everything that people may know of certificates, and nothing that they may not. */
export function certificateViews({ storage, clock }: { storage: Storage; clock: Clock }): CertificatesOf {
  return async (hostnames) => {
    if (hostnames.length === 0) return new Map()
    const [certificates, issuances, dueTimes] = await Promise.all([
      storage.read
        .selectFrom('certificates')
        .selectAll()
        .where('hostname', 'in', hostnames)
        .where('not_after', '>', clock.now())
        .where('revoked_at', 'is', null)
        .orderBy('issued_at')
        .execute(),
      storage.read.selectFrom('issuances').selectAll().where('hostname', 'in', hostnames).execute(),
      findNextAttempts(storage.read, hostnames),
    ])
    const newest = new Map(certificates.map((row) => [row.hostname, row]))
    const wanted = new Map(issuances.map((row) => [row.hostname, row]))
    return new Map(
      hostnames.map((hostname): [string, CertificateInfo] => {
        const [certificate, issuance] = [newest.get(hostname), wanted.get(hostname)]
        return [
          hostname,
          {
            certificate: certificate ? certificateView(certificate) : null,
            issuance: issuance ? issuanceView(issuance, dueTimes.get(hostname)) : null,
          },
        ]
      }),
    )
  }
}

const certificateView = (row: CertificateRow) => ({
  issuer: row.issuer_name,
  serial: row.serial,
  notBefore: iso(row.not_before),
  notAfter: iso(row.not_after),
  fingerprint: row.fingerprint,
  renewAt: iso(row.renew_at),
})

function issuanceView(row: IssuanceRow, dueAt: number | undefined): IssuanceView {
  const order = row.issuance_order === null ? null : (JSON.parse(row.issuance_order) as IssuanceOrder)
  const problem = row.problem === null ? null : (JSON.parse(row.problem) as IssuanceProblem)
  return {
    since: iso(row.since),
    step: order?.step ?? null,
    failures: row.failures,
    problem: problem && { code: problem.code, message: problem.message, detail: problem.detail },
    nextAttemptAt: dueAt === undefined ? null : iso(dueAt),
  }
}
