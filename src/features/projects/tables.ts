export type Plan = 'free' | 'pro' | 'enterprise'
export const PLANS: readonly Plan[] = ['free', 'pro', 'enterprise']

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    projects: {
      id: number
      slug: string
      name: string
      plan: Plan
      created_at: number
    }
  }
}
