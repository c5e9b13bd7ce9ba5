declare module '../../platform/storage/tables.ts' {
  interface Tables {
    audit_entries: {
      id: number
      at: number
      /** Kept after the project is gone, for as long as all entries are. */
      project_id: number | null
      /** The account whose own history the entry belongs to. */
      account_id: string | null
      actor_kind: string
      actor_id: string | null
      actor_name: string
      verb: string
      subject: string
      /** A JSON object of plain values, never a secret. */
      details: string
    }
  }
}

export {}
