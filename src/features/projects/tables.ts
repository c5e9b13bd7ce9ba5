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
      /** Set while the rows of a deleted project are still being taken away; its slug is then `~<id>`. */
      deleted_at: number | null
      /** 1 where only members with a passkey or one-time codes get in. */
      require_second_factor: number
    }
    /** Projects that the operator has suspended. */
    suspensions: {
      project_id: number
      reason: string
      since: number
    }
    /** Slugs that nobody but the owners of their project may take for a while: old links must not lead to strangers. */
    freed_slugs: {
      slug: string
      project_id: number
      freed_by: string | null
      freed_at: number
    }
  }
}
