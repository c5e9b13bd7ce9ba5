import { renewalOverdueAt } from '../../domains/lifecycle.ts'
import type { CertificateRow } from '../queries.ts'

/** Percent of a certificate's life that is left when people hear that there is no successor. */
const LIFE_STEPS = [30, 15, 5] as const

export type LifeStep = (typeof LIFE_STEPS)[number]

type Life = Pick<CertificateRow, 'not_before' | 'not_after' | 'renew_at'>

const overdueAt = ({ not_before: notBefore, not_after: notAfter, renew_at: renewAt }: Life) =>
  renewalOverdueAt({ notBefore, notAfter, renewAt })

/** The last step that has been reached by a certificate whose renewal is overdue. */
export function lifeStep(life: Life, now: number): LifeStep | undefined {
  if (now < overdueAt(life)) return undefined
  return LIFE_STEPS.findLast((percent) => stepAt(life, percent) <= now)
}

/** When to look, so that each step is told in time. */
export const lifeMoments = (life: Life): number[] =>
  [overdueAt(life), ...LIFE_STEPS.map((percent) => stepAt(life, percent))].map(Math.ceil)

const stepAt = ({ not_before, not_after }: Life, percent: LifeStep) =>
  not_after - ((not_after - not_before) * percent) / 100
