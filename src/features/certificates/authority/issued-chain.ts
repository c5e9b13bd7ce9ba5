import { X509Certificate } from 'node:crypto'
import type { CsrContents } from './csr.ts'
import { CERTIFICATES_MAX, splitChain } from './split-chain.ts'
import { readSubjectNames } from './subject-names.ts'
import { X509Certificate as ParsedCertificate } from './x509.ts'

interface CertificateDescription {
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

/** What an issuer hands over: leaf first, then the intermediates that clients need. */
export interface IssuedChain {
  chainPem: string
  leaf: CertificateDescription
}

type ChainCheck = { ok: true; chain: IssuedChain } | { ok: false; reason: string }

/** CAs date certificates back by up to an hour, and clocks differ: a start further ahead than this is a fault. */
const CLOCK_TOLERANCE_MS = 5 * 60 * 1000

/**
 * Holds a chain against the request that it should answer, before anything is stored: the right key, exactly the
 * names asked for, valid now, and every certificate signed by the next one.
 */
export function checkIssuedChain(pem: string, wanted: CsrContents, now: number): ChainCheck {
  const certificates = readCertificates(pem)
  const leaf = certificates?.[0]
  if (!certificates || !leaf) return refuse('the answer holds no readable certificate')
  if (certificates.length > CERTIFICATES_MAX) return refuse(`the chain has more than ${CERTIFICATES_MAX} certificates`)

  if (!leaf.publicKey.equals(wanted.publicKey)) return refuse('the certificate is for another key')
  if (leaf.ca) return refuse('the certificate is a certificate authority')

  const chainPem = certificates.map((certificate) => certificate.toString()).join('')
  const description = describeCertificate(chainPem)
  if (!sameNames(description.names, wanted.names)) {
    return refuse(`the certificate names ${description.names.join(', ') || 'nothing'}, not ${wanted.names.join(', ')}`)
  }
  if (description.notAfter <= now) return refuse('the certificate has already expired')
  if (description.notBefore > now + CLOCK_TOLERANCE_MS) return refuse('the certificate is not valid yet')
  if (!linked(certificates)) return refuse('the certificates of the chain do not sign one another')
  return { ok: true, chain: { chainPem, leaf: description } }
}

const refuse = (reason: string): ChainCheck => ({ ok: false, reason })

function readCertificates(pem: string): X509Certificate[] | undefined {
  try {
    return splitChain(pem)
  } catch {
    return undefined
  }
}

function sameNames(left: readonly string[], right: readonly string[]): boolean {
  const [a, b] = [new Set(left), new Set(right)]
  return a.size === b.size && a.isSubsetOf(b)
}

const linked = (certificates: readonly X509Certificate[]) =>
  certificates.every((certificate, index) => {
    const signer = certificates[index + 1]
    return !signer || (certificate.checkIssued(signer) && certificate.verify(signer.publicKey))
  })

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
