declare module '../storage/tables.ts' {
  interface Tables {
    /** What has to be looked at, and when: one row for each subject of a queue, whoever works on it. */
    work: {
      queue: string
      subject: string
      /** Milliseconds of the service's clock. */
      due_at: number
      /** Grows with every request, so that one which comes while the work is being done is not lost. */
      revision: number
      /** Times in a row that the work ended in an error nobody expected. */
      failures: number
      /** The token of the lease, while somebody holds it. */
      owner: string | null
      /** Milliseconds of the database's clock, which is the same for all instances. */
      leased_until: number | null
    }
    /** Every worker that serves, as it was when it last said so; no row for one that has ended in order. */
    instances: {
      /** That of its opening of the database, which its leases begin with. */
      id: string
      name: string
      process_id: number
      version: string
      started_at: number
      /** Milliseconds of the database's clock. */
      seen_at: number
      /** Since when it does the work in the background for its process; null for the others. */
      leads_since: number | null
      requests: number
      errors: number
      memory_bytes: number
      busy_percent: number
    }
  }
}

export {}
