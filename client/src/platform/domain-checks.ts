/** What is wrong with a domain, with what was seen and how to mend it. */
export interface Problem {
  code: string
  severity: 'blocking' | 'transient' | 'warning'
  affects: 'verification' | 'certificate'
  title: string
  detail: string
  fix: string
  /** The same as records, where changing records mends it. */
  change: RecordChange | null
  /** The ids of the queries that show it. */
  evidence: string[]
  /** If it is mended at the time of the check, no cache holds the present answer any longer than this. */
  cachesExpireBy: number | null
}

/** There is this, and there should be that. */
export interface RecordChange {
  zone: string
  /** Records that are there and must go. */
  remove: RecordLine[]
  /** Records that must be there. */
  add: RecordLine[]
}

/** One record as people type it into a form. */
export interface RecordLine {
  type: string
  /** Relative to the zone, `@` for the zone itself. */
  name: string
  value: string
}

/** What one nameserver said. */
export interface NameserverRow {
  nameserver: string
  address: string
  status:
    | 'answered'
    | 'timeout'
    | 'unreachable'
    | 'servfail'
    | 'refused'
    | 'lame'
    | 'truncated'
    | 'oversize'
    | 'unusable'
  serial: number | null
  answers: string[]
  isRight: boolean
  /** Whether visitors are led here, whatever proof there is or is not. */
  isHere: boolean
  /** For how long a resolver may remember the answer. */
  cacheSeconds: number
  evidence: string[]
}

/** One connection on the way of a visitor. */
export interface Hop {
  url: string
  /** Where the connection went; null when there was none. */
  address: string | null
  status: number | null
  /** In the order and spelling in which they came. */
  headers: [string, string][]
  certificate: {
    subject: string
    names: string[]
    issuer: string
    serial: string
    notBefore: string
    notAfter: string
    /** SHA-256, colon-separated. */
    fingerprint: string
    /** Why a browser would not trust it; null when it would. */
    distrust: string | null
    /** What to do about that. */
    distrustFix: string | null
  } | null
  /** What went wrong, in words; null when an answer came. */
  error: string | null
  durationMs: number
}

/** What is really served, held against what is stored. */
export interface LiveCheck {
  hostname: string
  at: string
  hops: Hop[]
  expected: {
    certificate: { serial: string; fingerprint: string; issuer: string; notAfter: string } | null
    leadsTo: string
    status: number | null
  }
  agrees: boolean
  findings: { code: string; message: string; fix: string }[]
}

export interface TroubleshootingStep {
  step: 'verifies' | 'caa' | 'attempt' | 'served'
  ok: boolean
  title: string
  /** What was found at this moment. */
  finding: string
  /** What to do about it; null when there is nothing to do. */
  fix: string | null
}

/** Why a certificate is late. */
export interface Troubleshooting {
  hostname: string
  at: string
  waitingSince: string | null
  late: boolean
  steps: TroubleshootingStep[]
  problems: Problem[]
  live: LiveCheck
}

/** Whether the DNS of a domain that was removed still leads here. */
export interface DanglingDns {
  hostname: string
  removedAt: string
  /** Null when DNS gave no clear answer. */
  pointsHere: boolean | null
  /** Whether whoever is led here is served all the same: for another project, or by a wildcard of this one. */
  isServed: boolean
  answers: { nameserver: string; answers: string[] }[]
  advice: string
}
