declare module '../storage/tables.ts' {
  interface Tables {
    /** Who wants to be told of what: looked at in the transaction of every change. */
    outbox_subscriptions: {
      project_id: number
      type: string
      subscriber: string
      /** `production`, `staging`, or `*` for both. */
      environment: string
    }
    /** What subscribers are to be told, written in the transaction of the change; for a while also what they were. */
    outbox_messages: {
      subscriber: string
      /** In the order of the changes of one resource. */
      seq: number
      /** Names the message wherever it goes. */
      id: string
      project_id: number
      type: string
      environment: string | null
      /** What has changed, such as `pet/production/17`: messages of one resource go out one after the other. */
      resource: string
      /** A JSON object. */
      data: string
      created_at: number
      /** Null once nothing more is to be done. */
      due_at: number | null
      attempts: number
      first_attempt_at: number | null
      delivered_at: number | null
    }
  }
}

export {}
