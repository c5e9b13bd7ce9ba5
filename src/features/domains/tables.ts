import type { RedirectStatus } from './redirects.ts'

/** Why a domain is no longer attached: somebody chose Remove, it was never verified, or its project is gone. */
export type Removal = 'person' | 'expired' | 'project'

export type CheckOutcome = 'passed' | 'failed' | 'inconclusive' | 'prepared'

export type NotificationKind =
  | 'ready'
  | 'verified'
  | 'live'
  | 'attention'
  | 'unserved'
  | 'renewal_at_risk'
  | 'certificate_late'
  | 'certificate_ended'
  | 'lost'
  | 'expired'
  | 'renewed'
  | 'recovered'
  | 'served_wrong'
  | 'served_right'

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    /** Facts only: `lifecycle.ts` says what state they mean. Times are milliseconds. */
    domains: {
      id: string
      project_id: number
      hostname: string
      /** Null for the primary. */
      redirect_to: string | null
      redirect_status: RedirectStatus | null
      /** `max-age` of Strict-Transport-Security; null leaves the header out. */
      hsts_seconds: number | null
      /** What the TXT record must say where a proof is needed: `claims.ts` says where. */
      proof: string
      added_at: number
      verified_at: number | null
      checked_at: number | null
      requested_at: number | null
      recheck_from: number | null
      failing_since: number | null
      unclear_since: number | null
      /** JSON list of the codes of the last clear check. */
      problems: string
      superseded_at: number | null
      /** Since when it has been waiting to be verified, for the first time or again; null once it is. */
      pending_since: number | null
      /**
       * When a look at DNS found that the hostname did not lead here, with this claim the only one: if it does later,
       * it is meant for this claim. Null when another project came before it did, and once it is verified.
       */
      alone_at: number | null
      /** When it was asked to have its certificate before it leads here. */
      prepared_at: number | null
      /** When both records of its preparation were last seen: by them it is served before it leads here. */
      proved_at: number | null
      /** 1 for a hostname that is a zone of its own and so can lead here by address; null before the first look. */
      own_zone: number | null
      removed_at: number | null
      removal: Removal | null
      /** 1 when the person who removed it also wants its certificates revoked, until that is noted with those. */
      revoke: number
    }
    /** The CNAME value of each project. Rows outlive their project: no target is ever given twice. */
    project_targets: {
      project_id: number
      label: string
      created_at: number
    }
    /** Projects that have ever held a hostname, also deleted ones: others need to prove that it is theirs now. */
    hostname_holders: {
      hostname: string
      project_id: number
      held_at: number
    }
    /** The evidence: what DNS said and what was read out of it. */
    domain_checks: {
      id: number
      domain_id: string
      outcome: CheckOutcome
      /** JSON list of problem codes. */
      problems: string
      trigger: 'verify' | 'automatic'
      first_at: number
      /** The same result again is the same row, with the newest evidence. */
      last_at: number
      times: number
      /** An evidence bundle: gzip of its JSON, in base64. */
      evidence: string
    }
    notifications: {
      id: number
      project_id: number
      domain_id: string
      hostname: string
      kind: NotificationKind
      title: string
      body: string
      created_at: number
      read_at: number | null
      /** When it was handed out to be mailed to each of its recipients. */
      mailed_at: number | null
      /** The occasion: each is told once. */
      occasion: string
    }
  }
}
