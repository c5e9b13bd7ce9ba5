import type { LimitName } from '../features/certificates/budget/budget.ts'

/** What a certificate authority still allows for one domain. */
export interface IssuanceBudgetView {
  limits: { limit: LimitName; left: number; burst: number; windowMs: number }[]
  /** When the next order may be made, if not now. */
  openAt: string | null
}
