import type { CertificateRow } from '../queries.ts'

/** Percent of a certificate's life that is left when people hear that there is no successor. */
const LIFE_STEPS = [30, 15, 5] as const

export type LifeStep = (typeof LIFE_STEPS)[number]

type Life = Pick<CertificateRow, 'not_before' | 'not_after' | 'renew_at'>

/** A renewal may take this share of the life, a day and a half of 90 days and ten seconds of ten minutes. */
const RENEWAL_SHARE = 1 / 60

const overdueAt = ({ not_before, not_after, renew_at }: Life) => renew_at + (not_after - not_before) * RENEWAL_SHARE

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
