import { X509Certificate } from 'node:crypto'
import { readSubjectNames } from './authority/subject-names.ts'
import { X509Certificate as ParsedCertificate } from './authority/x509.ts'

export interface CertificateDescription {
  /** Hostnames and addresses for which the certificate is good. */
  names: string[]
  /** The issuer's name on one line, such as `CN=R12, O=Let's Encrypt, C=US`. */
  issuer: string
  /** Upper-case hexadecimal, as `openssl x509 -serial` prints it. */
  serial: string
  /** Milliseconds since the Unix epoch. */
  notBefore: number
  notAfter: number
  /** SHA-256 over the DER, colon-separated upper-case hexadecimal. */
  fingerprint: string
}

/** Describes the first certificate of a PEM text: the leaf, when the text is a chain. */
export function describeCertificate(pem: string | Buffer): CertificateDescription {
  const certificate = new X509Certificate(pem)
  return {
    names: readSubjectNames(new ParsedCertificate(certificate.raw)),
    issuer: onOneLine(certificate.issuer),
    serial: certificate.serialNumber,
    notBefore: certificate.validFromDate.getTime(),
    notAfter: certificate.validToDate.getTime(),
    fingerprint: certificate.fingerprint256,
  }
}

/** OpenSSL prints the most general part first; people look for the common name. */
const onOneLine = (distinguishedName: string) => distinguishedName.split('\n').toReversed().join(', ')
