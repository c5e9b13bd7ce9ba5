/** How far a hostname has come on its way here. */
export interface DomainMove {
  phase: 'before' | 'moving' | 'moved'
  /** What the hostname led to. */
  from: readonly string[]
  oldTtlSeconds: number
  oldSeenAt: string
  newSeenAt: string | null
  allNewAt: string | null
  /** When the old host may be switched off; null while a nameserver still leads there, or may. */
  oldHostUntil: string | null
  sentence: string
}

export interface SwitchView {
  /** Shows the site as this domain will serve it, to whoever has the link. */
  preview: { url: string; expiresAt: string }
  /** The same under the domain's own name, once it has a certificate here and is served. */
  curl: string | null
  move: DomainMove | null
}

/** What a visitor with empty caches meets at an address. */
export interface SiteFacts {
  /** Where the way ended. */
  url: string
  status: number | null
  title: string | null
  /** Every stop before that. */
  redirects: { url: string; status: number }[]
  /** Strict-Transport-Security as it was sent over HTTPS. */
  hsts: string | null
  certificate: { issuer: string; notAfter: string; distrust: string | null } | null
  error: string | null
}

/** What is served today beside what would be, and what to do first. */
export interface SwitchComparison {
  hostname: string
  at: string
  /** Null where DNS leads nowhere. */
  there: (SiteFacts & { records: string[]; ttlSeconds: number }) | null
  here: SiteFacts & { certificateHere: { issuer: string; notAfter: string } | null; hstsSeconds: number | null }
  caa: string
  advice: { code: string; isUrgent: boolean; text: string }[]
  move: DomainMove | null
}

/** Who has which answer. */
export interface AnswerRow {
  kind: 'nameserver' | 'resolver'
  name: string
  address: string
  answers: string[]
  has: 'new' | 'old' | 'none' | 'unknown'
  /** Until when a cache may keep what is not new; null where there is nothing to wait for. */
  until: string | null
}

export interface Spread {
  hostname: string
  at: string
  rows: AnswerRow[]
  move: DomainMove | null
}
