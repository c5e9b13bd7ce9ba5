import type { Seen } from './look.ts'

/** What is wrong with what an instance serves. */
export type ServedProblem =
  | 'no_handshake'
  | 'other_certificate'
  | 'certificate_expired'
  | 'chain_broken'
  | 'no_answer'
  | 'error_status'

/** The certificate that every instance should serve. */
interface Wanted {
  /** SHA-256 of each certificate, the site's own first. */
  readonly chain: readonly string[]
}

/** What matters most; null when all is as it should be. */
export function judgeServed({ certificate, chain, status }: Seen, wanted: Wanted, now: number): ServedProblem | null {
  if (certificate === undefined) return 'no_handshake'
  if (chain[0] !== wanted.chain[0]) return 'other_certificate'
  if (certificate.notAfter <= now) return 'certificate_expired'
  if (wanted.chain.some((fingerprint, index) => chain[index] !== fingerprint)) return 'chain_broken'
  if (status === undefined) return 'no_answer'
  return status >= 500 ? 'error_status' : null
}

/** For people: what visitors of the instance meet. */
export const SERVED_WORDS: Readonly<Record<ServedProblem, string>> = {
  no_handshake: 'no TLS connection is possible',
  other_certificate: 'another certificate is served than the one that is stored',
  certificate_expired: 'the certificate that is served has ended',
  chain_broken: 'the certificate is served without its whole chain',
  no_answer: 'the site does not answer',
  error_status: 'the site answers with an error of the service',
}
