import type { Clock } from '../../platform/clock.ts'
import { iso, isoOrNull } from '../../platform/iso-date.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { CertificateInfo, CertificatesOf, IssuanceView } from '../domains/view.ts'
import { findRetryAfters } from './budget/meters.ts'
import type { IssuanceOrder, IssuanceProblem, Issuer } from './issuer.ts'
import { type CertificateRow, findNextAttempts, type IssuanceRow } from './queries.ts'

interface CertificateViewsNeeds {
  storage: Storage
  clock: Clock
  issuer: Pick<Issuer, 'id'>
}

/** Everything that people may know of certificates, and nothing that they may not. */
export function certificateViews({ storage, clock, issuer }: CertificateViewsNeeds): CertificatesOf {
  return async (hostnames) => {
    if (hostnames.length === 0) return new Map()
    const now = clock.now()
    const [certificates, issuances, dueTimes, retryAfters] = await Promise.all([
      storage.read
        .selectFrom('certificates')
        .selectAll()
        .where('hostname', 'in', hostnames)
        .where('revoked_at', 'is', null)
        .orderBy('issued_at')
        .execute(),
      storage.read.selectFrom('issuances').selectAll().where('hostname', 'in', hostnames).execute(),
      findNextAttempts(storage.read, hostnames),
      findRetryAfters(storage.read, issuer.id, hostnames, now),
    ])
    const good = certificates.filter(({ not_after }) => not_after > now)
    const newest = new Map(good.map((row) => [row.hostname, row]))
    const ended = new Map(certificates.map((row) => [row.hostname, row]))
    const wanted = new Map(issuances.map((row) => [row.hostname, row]))
    return new Map(
      hostnames.map((hostname): [string, CertificateInfo] => {
        const [certificate, issuance] = [newest.get(hostname), wanted.get(hostname)]
        const last = certificate ? undefined : ended.get(hostname)
        const times = { dueAt: dueTimes.get(hostname), retryAfter: retryAfters.get(hostname), now }
        return [
          hostname,
          {
            certificate: certificate ? certificateView(certificate) : null,
            certificateEndedAt: isoOrNull(last?.not_after),
            issuance: issuance ? issuanceView(issuance, times) : null,
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

interface AttemptTimes {
  dueAt: number | undefined
  retryAfter: number | undefined
  now: number
}

function issuanceView(row: IssuanceRow, { dueAt, retryAfter, now }: AttemptTimes): IssuanceView {
  const order = row.issuance_order === null ? null : (JSON.parse(row.issuance_order) as IssuanceOrder)
  const problem = row.problem === null ? null : (JSON.parse(row.problem) as IssuanceProblem)
  return {
    since: iso(row.since),
    step: order?.step ?? null,
    failures: row.failures,
    attemptedAt: isoOrNull(row.attempted_at),
    problem: problem && { code: problem.code, message: problem.message, detail: problem.detail },
    // Work may be due before: because a person has asked, or to tell people of a certificate at risk.
    nextAttemptAt: isoOrNull((row.next_attempt_at ?? 0) > now ? row.next_attempt_at : dueAt),
    retryAfter: isoOrNull(retryAfter),
  }
}
