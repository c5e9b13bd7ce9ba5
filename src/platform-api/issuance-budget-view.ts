import type { CountedLimit } from '../features/certificates/budget/limits.ts'

/** What a certificate authority still allows for one domain. */
export interface IssuanceBudgetView {
  limits: { limit: CountedLimit; left: number; burst: number; windowMs: number }[]
  /** When the next order may be made, if not now. */
  openAt: string | null
}
