import type { Clock } from '../../platform/clock.ts'
import { iso, isoOrNull } from '../../platform/iso-date.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { CertificateInfo, CertificatesOf, IssuanceView } from '../domains/view.ts'
import { findRetryAfters } from './budget/meters.ts'
import { authorityName } from './choice/authority.ts'
import type { IssuanceOrder, IssuanceProblem } from './issuer.ts'
import { type CertificateRow, findNextAttempts, type IssuanceRow } from './queries.ts'

interface CertificateViewsNeeds {
  storage: Storage
  clock: Clock
  /** Ids of those that issue, the first first. */
  issuers: readonly string[]
}

/** Everything that people may know of certificates, and nothing that they may not. */
export function certificateViews({ storage, clock, issuers }: CertificateViewsNeeds): CertificatesOf {
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
      retryAftersOf(hostnames, now),
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
            certificate: certificate ? certificateView(certificate, issuers) : null,
            certificateEndedAt: isoOrNull(last?.not_after),
            issuance: issuance ? issuanceView(issuance, times) : null,
          },
        ]
      }),
    )
  }

  /** When the first of them may be asked again about a name that all of them want to be left alone about. */
  async function retryAftersOf(hostnames: readonly string[], now: number): Promise<Map<string, number>> {
    const found = await Promise.all(issuers.map((issuer) => findRetryAfters(storage.read, issuer, hostnames, now)))
    return new Map(
      hostnames.flatMap((hostname): [string, number][] => {
        const times = found.map((each) => each.get(hostname) ?? 0)
        return times.includes(0) ? [] : [[hostname, Math.min(...times)]]
      }),
    )
  }
}

const certificateView = (row: CertificateRow, issuers: readonly string[]) => ({
  issuer: row.issuer_name,
  authority: authorityName(row.issuer),
  isFallback: issuers.indexOf(row.issuer) > 0,
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
    authority: order && authorityName(order.issuer),
    failures: row.failures,
    attemptedAt: isoOrNull(row.attempted_at),
    problem: problem && { code: problem.code, message: problem.message, detail: problem.detail },
    // Work may be due before: because a person has asked, or to tell people of a certificate at risk.
    nextAttemptAt: isoOrNull((row.next_attempt_at ?? 0) > now ? row.next_attempt_at : dueAt),
    retryAfter: isoOrNull(retryAfter),
  }
}
