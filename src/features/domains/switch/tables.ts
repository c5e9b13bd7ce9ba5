declare module '../../../platform/storage/tables.ts' {
  interface Tables {
    /** What a hostname led to before it led here, and how the change was seen; see `move.ts`. */
    domain_moves: {
      domain_id: string
      /** JSON list: `A 192.0.2.1`. */
      old_answers: string
      /** JSON list of names. */
      nameservers: string
      /** Seconds, as it was seen last. */
      old_ttl: number
      /** No cache holds what has been seen of the old answer any longer than this. */
      old_until: number
      old_seen_at: number
      new_seen_at: number | null
      all_new_at: number | null
    }
  }
}

export {}
