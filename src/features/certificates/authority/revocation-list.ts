import type { webcrypto } from 'node:crypto'
import { DAY_MS } from '../../../platform/clock.ts'
import { REVOCATION_REASONS } from '../issuer.ts'
import { KEY_ALGORITHM } from './key-pair.ts'
import type { RevokedCertificate } from './revocations.ts'
import { AuthorityKeyIdentifierExtension, Extension, type X509Certificate, X509CrlGenerator } from './x509.ts'

/** Clients may use a list for so long; a fresh one is made whenever it is asked for. */
const LIST_VALIDITY_MS = 7 * DAY_MS
const CRL_NUMBER = '2.5.29.20'
const INTEGER = 0x02

/** The certificate revocation list (RFC 5280, chapter 5) of a root, in DER. */
export async function signRevocationList(
  root: { certificate: X509Certificate; key: webcrypto.CryptoKey },
  revoked: readonly RevokedCertificate[],
  now: number,
): Promise<Uint8Array> {
  const list = await X509CrlGenerator.create({
    issuer: root.certificate.subjectName,
    thisUpdate: new Date(now),
    nextUpdate: new Date(now + LIST_VALIDITY_MS),
    signingKey: root.key,
    signingAlgorithm: KEY_ALGORITHM,
    entries: revoked.map(({ serial, reason, revoked_at }) => ({
      serialNumber: serial,
      revocationDate: new Date(revoked_at),
      reason: REVOCATION_REASONS[reason],
    })),
    extensions: [
      await AuthorityKeyIdentifierExtension.create(root.certificate),
      // Every instance signs lists: the time is the number that grows for all of them.
      new Extension(CRL_NUMBER, false, integer(Math.floor(now / 1000))),
    ],
  })
  return new Uint8Array(list.rawData)
}

/** A positive number in DER, whose first bit is the sign. */
function integer(value: number): Buffer {
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
  const body = bytes.readUInt8(0) < 0x80 ? bytes : Buffer.concat([Buffer.from([0]), bytes])
  return Buffer.concat([Buffer.from([INTEGER, body.length]), body])
}
