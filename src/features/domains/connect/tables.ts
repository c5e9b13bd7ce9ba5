declare module '../../../platform/storage/tables.ts' {
  interface Tables {
    /** Requests that people have taken to a DNS provider, until they come back. */
    connect_requests: {
      /** SHA-256 of the state that travels with the request. */
      state: string
      domain_id: string
      /** Only the browser that left may bring it back. */
      session_id: string
      provider: string
      expires_at: number
    }
  }
}

export {}
