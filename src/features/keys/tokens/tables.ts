declare module '../../../platform/storage/tables.ts' {
  interface Tables {
    tokens: {
      id: string
      project_id: number
      hash: string
      hint: string
      name: string
      /** `deploys:write`, or several with a space between them. */
      scopes: string
      /** The account in whose name it acts, with no more rights than that has in the project. */
      made_by: string
      /** The most that it may do; of one that was handed over, what whoever gave it away could. */
      role_max: 'viewer' | 'editor' | 'owner' | null
      created_at: number
      expires_at: number
      revoked_at: number | null
      last_used_at: number | null
    }
  }
}

export {}
