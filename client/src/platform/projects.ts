import type { PetStatus } from '../types.ts'
import type { Role } from './accounts.ts'

export type Environment = 'production' | 'staging'
export type Plan = 'free' | 'pro' | 'enterprise'

/** As the operator sees it. */
export interface AnyProject {
  slug: string
  name: string
  plan: Plan
  /** Only members with a passkey or one-time codes get in. */
  requireSecondFactor: boolean
  createdAt: string
  /** Why the operator has stopped it, and since when; null where it runs. */
  suspension: { reason: string; since: string } | null
}

export interface Project extends AnyProject {
  /** Of whoever asks. */
  role: Role
  /** Where its site is by default. */
  url: string
}

/** What the operator has set up. */
export interface Installation {
  version: string
  /** The two base addresses of the animals interface. */
  addresses: Record<Environment, string>
  platformHost: string
  httpsPort: number
  /** Where a browser visits a live domain; `{hostname}` stands for its name. */
  visit: string
  /** Whether the service plays the DNS itself, for rehearsals. */
  sandbox: boolean
  /** The zone in which domains are proved before they lead here; null where none is, so that none can be prepared. */
  challengeZone: string | null
  /** Who issues the certificates of custom domains. */
  issuer: 'internal' | 'acme'
}

/** A count that stops: `more` says that there are others beyond it. */
export interface BoundedCount {
  count: number
  more: boolean
}

/** Where the import of a file stands whose rows are sent part by part. */
export interface SentImport {
  /** Of the file, from its first one on: they are stored, or were left out. */
  rows: number
  animals: number
  finishedAt: string | null
}

export interface Overview {
  animals: Record<Environment, Record<PetStatus, BoundedCount>>
  openOrders: Record<Environment, BoundedCount>
  activeKeys: number
  members: number
  domains: number
  lastDay: Record<Environment, { calls: number; failures: number }>
  /** Keys that called an operation to be removed in the last 30 days. */
  deprecatedCallers: Record<Environment, number>
}

export interface Usage {
  from: string
  stepMs: number
  points: { at: string; calls: number; failures: number }[]
  operations: { operation: string; calls: number; failures: number }[]
  /** Keys that still call an operation which is to be removed, in the last 30 days. */
  deprecated: {
    operation: string
    keyId: string
    name: string
    hint: string
    environment: string
    calls: number
    lastAt: string
  }[]
}

export type RequestsRange = 'hour' | 'day' | 'week' | 'month'

/** Percentiles are in milliseconds, and null where there was no request. */
export interface RequestTotals {
  calls: number
  failures: number
  p50: number | null
  p95: number | null
  p99: number | null
}

/** Requests over time. `who` is a key, `what` an operation; of a site a host, and a status. The busiest first. */
export interface Requests {
  from: string
  stepMs: number
  total: RequestTotals
  points: (RequestTotals & { at: string })[]
  who: (RequestTotals & { who: string })[]
  what: (RequestTotals & { what: string })[]
}

export interface FailedRequest {
  at: string
  requestId: string
  operation: string
  keyId: string
  status: number
  code: string
}

export interface Key {
  id: string
  name: string
  environment: Environment
  hint: string
  scopes: ('read' | 'write')[]
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
  state: 'active' | 'expired' | 'revoked'
  /** Who made it or has taken it over; null for those of the operator's commands and the first start. */
  madeBy: { id: string; email: string; name: string } | null
  /** Id of the key that it was rotated from, which lives on until it expires. */
  replaces: string | null
}

/** The key itself is shown this once. */
export interface NewKey extends Key {
  key: string
}

/** What a token may do: by noun, to read or to write. Whoever may write something may read it. */
export type TokenScope =
  | `${'project' | 'deploys' | 'domains' | 'keys' | 'webhooks' | 'pets' | 'orders'}:${'read' | 'write'}`
  | `${'members' | 'audit'}:read`

/** For programs that manage a project: it acts in the name of whoever made it. */
export interface Token {
  id: string
  name: string
  hint: string
  scopes: TokenScope[]
  createdAt: string
  expiresAt: string
  revokedAt: string | null
  /** To the minute. */
  lastUsedAt: string | null
  state: 'active' | 'expired' | 'revoked'
  madeBy: { id: string; email: string; name: string } | null
}

/** The token that a request was made with, and the project that it is for. */
export interface TokenInUse extends Token {
  project: { slug: string; name: string }
}

/** The token itself is shown this once. */
export interface NewToken extends Token {
  token: string
}

export interface Deploy {
  id: string
  source: 'archive' | 'directory' | 'starter'
  /** Whether the project shows it now. */
  active: boolean
  files: number
  bytes: number
  /** Equal for two deploys exactly when all their files are. */
  hash: string
  createdBy: string
  createdAt: string
  name: string | null
  message: string | null
  /** By what it came; null where that is not known. */
  via: 'dashboard' | 'command line' | 'token' | null
  /** Whether the address of the site leads to a page. */
  hasIndex: boolean
}

/** A query of a deploy: `publish` is `yes` (with an index.html only), `no` (kept for a preview) or `anyway`. */
export interface DeployWish {
  name?: string
  message?: string
  publish?: 'yes' | 'no' | 'anyway'
}

/** The files of a deploy, held against those that the project shows. */
export interface DeployFiles {
  /** The id of the deploy that is shown; null where none is. */
  comparedTo: string | null
  counts: Record<'added' | 'changed' | 'removed' | 'same', number>
  /** What differs first. */
  files: { path: string; bytes: number; change: 'added' | 'changed' | 'removed' | 'same' }[]
  /** Not all of them are listed. */
  more: boolean
}

/** `unchanged`: the project shows exactly these files already. `kept`: stored for a preview, and not shown. */
export interface DeployResult {
  state: 'deployed' | 'kept' | 'unchanged'
  /** Of the site. */
  url: string
  /** Where this deploy can be looked at, shown or not. */
  preview: string | null
  /** What deserves a look before anybody sees it. */
  warning: string | null
  deploy: Deploy
}

/** These contents have to be sent first. */
export interface IncompleteDeploy {
  state: 'incomplete'
  /** Of the site. */
  url: string
  missing: { sha256: string; bytes: number }[]
}

/** How much a project has used of one of its shares. */
export interface Share {
  share:
    | 'storage'
    | 'animals'
    | 'orders'
    | 'uploads'
    | 'keys'
    | 'webhooks'
    | 'domains'
    | 'changes'
    | 'verify'
    | 'dnsQuestions'
    | 'liveChecks'
  /** Bytes of storage, a number of everything else. */
  used: number
  limit: number
  /** What comes back by itself; null where something has to end or to be removed. */
  perMinute: number | null
}

export interface Notification {
  id: number
  kind:
    | 'verified'
    | 'live'
    | 'attention'
    | 'unserved'
    | 'renewal_at_risk'
    | 'ready'
    | 'certificate_late'
    | 'certificate_ended'
    | 'lost'
    | 'expired'
    | 'renewed'
    | 'recovered'
    | 'served_wrong'
    | 'served_right'
  hostname: string
  title: string
  body: string
  createdAt: string
  readAt: string | null
}
