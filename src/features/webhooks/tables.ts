/** Why an endpoint gets nothing any more: somebody chose so, or the service did. */
export type OffReason = 'person' | 'failing' | 'gone' | 'backlog' | 'secret_lost'

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    webhook_endpoints: {
      id: string
      project_id: number
      /** Null for a command line that fetches its messages itself. */
      url: string | null
      name: string
      /** `pet.created`, or several with a space between them. */
      types: string
      /** Null for both. */
      environment: string | null
      /** Empty once it was lost with the master key; then the endpoint is off until it is given another. */
      sealed_secret: string
      /** Signs as well, until its time is over. */
      sealed_old_secret: string | null
      old_secret_until: number | null
      /** A JSON array of `OldSecret`: those that were rotated before the old one and have time left. */
      older_secrets: string | null
      created_at: number
      off_at: number | null
      off_reason: OffReason | null
      last_delivered_at: number | null
      last_failed_at: number | null
      /** Until when a command line is believed to be there. */
      listening_until: number | null
    }
    /** Every attempt to deliver a message. */
    webhook_attempts: {
      endpoint_id: string
      seq: number
      message_id: string
      at: number
      url: string
      /** The address that was connected to. */
      address: string | null
      /** As it was sent. */
      signature: string
      /** Null where no answer came. */
      status: number | null
      /** The beginning of what was answered. */
      answer: string | null
      error: string | null
      duration_ms: number
    }
  }
}
