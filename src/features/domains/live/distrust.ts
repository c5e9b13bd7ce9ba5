import type { X509Certificate } from 'node:crypto'

/** Why browsers do not trust a certificate, in words, and what to do about it. */
interface Distrust {
  reason: string
  fix: string
}

/** `code` is what OpenSSL says of the chain; undefined when it found nothing. */
export function distrustOf(
  certificate: X509Certificate,
  hostname: string,
  code: string | undefined,
): Distrust | undefined {
  if (certificate.checkHost(hostname) === undefined) {
    const fix = 'Something stands between visitors and this service, such as a proxy: let the name lead here directly.'
    return { reason: `it is not for ${hostname}`, fix }
  }
  if (code === undefined) return undefined
  if (code === 'CERT_HAS_EXPIRED') {
    const fix = 'Choose Re-verify, and look at the certificate’s own section for what keeps a new one away.'
    return { reason: `it ended on ${certificate.validToDate.toISOString()}`, fix }
  }
  if (code === 'CERT_NOT_YET_VALID') {
    const reason = `it is not good before ${certificate.validFromDate.toISOString()}`
    return { reason, fix: 'Wait until then; if that moment is past, the clock of this service is wrong.' }
  }
  const issuer = commonNameOf(certificate.issuer)
  if (UNKNOWN_AUTHORITY.has(code)) {
    const reason = `it was issued by ${issuer}, which is none of the authorities that browsers know`
    return { reason, fix: UNKNOWN_FIX }
  }
  return { reason: `the chain of ${issuer} could not be checked (${code})`, fix: 'Tell the operator of this service.' }
}

const UNKNOWN_FIX =
  'Only browsers into which the root of that authority was imported trust it. For everybody else the operator of ' +
  'this service has to choose an authority that browsers know.'

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
])

const commonNameOf = (issuer: string) => /^CN=(.+)$/m.exec(issuer)?.[1] ?? issuer.replaceAll('\n', ', ')
