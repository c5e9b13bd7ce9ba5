import type { CountedLimit } from '../../features/certificates/budget/limits.ts'

/** What a certificate authority still allows for one domain. */
export interface AuthorityBudgetView {
  /** The host of its directory; null for the internal CA. */
  authority: string | null
  limits: { limit: CountedLimit; left: number; burst: number; windowMs: number }[]
  /** When the next order may be made, if not now. */
  openAt: string | null
}

export interface IssuanceBudgetView extends AuthorityBudgetView {
  /** The same of the authority that takes over when the first fails; null where there is none. */
  fallback: AuthorityBudgetView | null
}
