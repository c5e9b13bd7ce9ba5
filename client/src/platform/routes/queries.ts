import type { Environment } from '../projects.ts'

/** Of a list that comes page by page. */
export interface PageQuery {
  limit?: number
  cursor?: string
}

/** The same, of those that have a text in them. */
export interface SearchQuery extends PageQuery {
  q?: string
}

export interface AuditQuery extends PageQuery {
  /** The noun of the verbs: `pet`, `key`, `domain` … */
  about?: string
  /** What was changed: an id, a hostname, an address. */
  subject?: string
  environment?: Environment
}
