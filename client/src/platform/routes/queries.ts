import type { Environment } from '../projects.ts'

/** Of a list that comes page by page. */
export interface PageQuery {
  limit?: number
  cursor?: string
}

export interface AuditQuery extends PageQuery {
  /** The noun of the verbs: `pet`, `key`, `domain` … */
  about?: string
  /** What was changed: an id, a hostname, an address. */
  subject?: string
  environment?: Environment
}
