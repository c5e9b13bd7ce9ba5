import type { ChallengeType, RevocationReason } from './issuer.ts'
import type { ServedProblem } from './watching/judge.ts'

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    /** The newest of a hostname that has not expired or been revoked is the one that is served. */
    certificates: {
      id: string
      hostname: string
      /** The issuer's id: an ACME directory, or `internal`. */
      issuer: string
      issuer_name: string
      serial: string
      fingerprint: string
      /** Leaf first. */
      chain: string
      /** The private key, sealed for this row; empty once it was lost with the master key, and then it has ended. */
      sealed_key: string
      not_before: number
      not_after: number
      issued_at: number
      renew_at: number
      /** When to ask the authority again whether that is still right; null where it has no say. */
      advice_due_at: number | null
      /** JSON of the window that it gave last. */
      advice: string | null
      /** The project that wants it revoked, and may be gone since; null while none does. */
      revoke_for: number | null
      revoked_at: number | null
    }
    /** A certificate that is wanted and not there yet, or is being renewed: one row, and so one order, per hostname. */
    issuances: {
      hostname: string
      since: number
      /** JSON of the order under way. */
      issuance_order: string | null
      /** The private key of that order, sealed for this row. */
      sealed_key: string | null
      /** Attempts that failed in a row. */
      failures: number
      /** When the last attempt came to nothing. */
      attempted_at: number | null
      /** When the next attempt comes by itself; one that is made before was asked for by a person. */
      next_attempt_at: number | null
      /** JSON of what the last attempt met. */
      problem: string | null
    }
    /** What any instance answers while an authority looks. */
    challenge_answers: {
      hostname: string
      token: string
      type: ChallengeType
      key_authorization: string
      /** Where in the zone of challenges dns-01 looks; null for the other types. */
      label: string | null
    }
    acme_accounts: {
      directory_url: string
      sealed_key: string
      url: string | null
    }
    /** What has been spent of the limits of an account at an authority: see `budget.ts`. */
    ca_meters: {
      issuer: string
      meter: string
      spent_until: number
    }
    /** What the internal CA has revoked; its rows in `certificates` go away when newer ones come. */
    revoked_certificates: {
      /** Upper-case hexadecimal. */
      serial: string
      reason: RevocationReason
      revoked_at: number
      not_after: number
    }
    /** What an instance was last seen to serve for a name. */
    served_names: {
      instance: string
      hostname: string
      seen_at: number
      /** Of the certificate that was shown; null without a handshake. */
      serial: string | null
      not_after: number | null
      /** Of the answer; null without one. */
      status: number | null
      /** Null when all is as it should be. */
      problem: ServedProblem | null
    }
    /** How little was left of a certificate of the platform's own when its operators heard of it. */
    told_lives: {
      hostname: string
      not_after: number
      percent: number
    }
    /** The root of the internal CA. */
    ca_roots: {
      id: string
      certificate: string
      sealed_key: string
      created_at: number
    }
  }
}
