/** One try for a certificate of a domain, or its revocation. */
export interface CertificateAttemptView {
  at: string
  result: 'issued' | 'renewed' | 'failed' | 'revoked'
  /** Code of what a failed one met. */
  problem: string | null
}
