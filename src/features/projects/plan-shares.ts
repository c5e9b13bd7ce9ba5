import { type Plan, PLANS } from './tables.ts'

const GIGABYTE = 1_000_000_000

/** What a project may keep: the contents of all its deploys, each content once. */
export const STORED_BYTES_MAX: Readonly<Record<Plan, number>> = {
  free: GIGABYTE,
  pro: 10 * GIGABYTE,
  enterprise: 100 * GIGABYTE,
}

export const inGigabytes = (bytes: number) => `${Number((bytes / GIGABYTE).toFixed(2))} GB`

/** How many animals a project may have in both environments together, and how many orders. */
export const RECORDS_MAX: Readonly<Record<Plan, number>> = {
  free: 1_000_000,
  pro: 10_000_000,
  enterprise: 100_000_000,
}

export const planName = (plan: Plan) => plan.charAt(0).toUpperCase() + plan.slice(1)

/** The next plan, which has more of everything. */
export const planAbove = (plan: Plan): Plan | undefined => PLANS[PLANS.indexOf(plan) + 1]
