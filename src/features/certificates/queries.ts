import './tables.ts'
import type { Selectable } from 'kysely'
import { prepare } from '../../platform/storage/prepared.ts'
import type { Db, Tables } from '../../platform/storage/tables.ts'
import { findDueTimes } from '../../platform/work/lease.ts'
import { CERTIFICATE_QUEUE } from '../domains/topics.ts'
import type { Meters } from './budget/budget.ts'
import { INTERNAL_CA_ID } from './issuer.ts'

export type CertificateRow = Selectable<Tables['certificates']>
export type IssuanceRow = Selectable<Tables['issuances']>

/** The one to serve: the newest that is good at this moment. */
export const findServedCertificate = prepare(
  'findServedCertificate',
  (db, { hostname, now }: { hostname: string; now: number }) =>
    db
      .selectFrom('certificates')
      .selectAll()
      .where('hostname', '=', hostname)
      .where('not_after', '>', now)
      .where('revoked_at', 'is', null)
      .orderBy('issued_at', 'desc')
      .limit(1),
)

/** The newest good one that was ordered from an authority, rather than made by the internal CA. */
export function findOrderedCertificate(db: Db, hostname: string, now: number): Promise<CertificateRow | undefined> {
  return db
    .selectFrom('certificates')
    .selectAll()
    .where('hostname', '=', hostname)
    .where('issuer', '!=', INTERNAL_CA_ID)
    .where('not_after', '>', now)
    .where('revoked_at', 'is', null)
    .orderBy('issued_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The newest, whatever has become of it. */
export function findNewestCertificate(db: Db, hostname: string): Promise<CertificateRow | undefined> {
  return db
    .selectFrom('certificates')
    .selectAll()
    .where('hostname', '=', hostname)
    .where('revoked_at', 'is', null)
    .orderBy('issued_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Those that somebody wants revoked, and whose authority has not heard of it. */
export function listUnwanted(db: Db, hostname: string, now: number) {
  return db
    .selectFrom('certificates')
    .select(['id', 'chain', 'issuer', 'revoke_for'])
    .where('hostname', '=', hostname)
    .where('revoke_for', 'is not', null)
    .where('revoked_at', 'is', null)
    .where('not_after', '>', now)
    .execute()
}

export function findIssuance(db: Db, hostname: string): Promise<IssuanceRow | undefined> {
  return db.selectFrom('issuances').selectAll().where('hostname', '=', hostname).executeTakeFirst()
}

/** More than this nobody reads. */
const BELOW_MAX = 200

/** Names below this one that have a certificate or want one, those whose certificate ends first, first. */
export async function listHostnamesBelow(db: Db, parent: string): Promise<string[]> {
  const [wanted, had] = await Promise.all([
    db.selectFrom('issuances').select('hostname').where('hostname', 'like', `%.${parent}`).limit(BELOW_MAX).execute(),
    db
      .selectFrom('certificates')
      .select('hostname')
      .where('hostname', 'like', `%.${parent}`)
      .where('revoked_at', 'is', null)
      .groupBy('hostname')
      .orderBy((eb) => eb.fn.max('not_after'))
      .limit(BELOW_MAX)
      .execute(),
  ])
  return [...new Set([...wanted, ...had].map(({ hostname }) => hostname))].slice(0, BELOW_MAX)
}

export const findNextAttempts = (db: Db, hostnames: readonly string[]) => findDueTimes(db, CERTIFICATE_QUEUE, hostnames)

export async function readMeters(db: Db, issuer: string, meters: readonly string[]): Promise<Meters> {
  if (meters.length === 0) return new Map()
  const rows = await db
    .selectFrom('ca_meters')
    .select(['meter', 'spent_until'])
    .where('issuer', '=', issuer)
    .where('meter', 'in', meters)
    .execute()
  return new Map(rows.map(({ meter, spent_until }) => [meter, spent_until]))
}

export const findChallengeAnswer = prepare(
  'findChallengeAnswer',
  (db, { hostname, token }: { hostname: string; token: string }) =>
    db
      .selectFrom('challenge_answers')
      .select('key_authorization')
      .where('hostname', '=', hostname)
      .where('token', '=', token),
)

/** Of every order under way whose challenge is looked for at this label of the zone. */
export const findDnsAnswers = prepare('findDnsAnswers', (db, { label }: { label: string }) =>
  db.selectFrom('challenge_answers').select('key_authorization').where('label', '=', label),
)

export function findAlpnAnswer(db: Db, hostname: string) {
  return db
    .selectFrom('challenge_answers')
    .select('key_authorization')
    .where('hostname', '=', hostname)
    .where('type', '=', 'tls-alpn-01')
    .executeTakeFirst()
}

/** Of the internal CA, in PEM. */
export async function findRootCertificate(db: Db): Promise<string | undefined> {
  return (await db.selectFrom('ca_roots').select('certificate').executeTakeFirst())?.certificate
}
