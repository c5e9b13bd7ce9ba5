import type { Plan } from './tables.ts'

const GIGABYTE = 1_000_000_000

/** What a project may keep: the contents of all its deploys, each content once. */
export const STORED_BYTES_MAX: Readonly<Record<Plan, number>> = {
  free: GIGABYTE,
  pro: 10 * GIGABYTE,
  enterprise: 100 * GIGABYTE,
}

export const inGigabytes = (bytes: number) => `${Number((bytes / GIGABYTE).toFixed(2))} GB`
