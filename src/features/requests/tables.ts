import type { Environment } from '../../platform/http/operation.ts'
import type { BUCKETS } from './latency.ts'

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    request_counts: {
      project_id: number
      /** The interface of an environment, or the project's site. */
      area: Environment | 'site'
      /** What one row counts: a minute, or an hour, in milliseconds. */
      step_ms: number
      /** Its beginning. */
      at: number
      /** The key that called; of a site the hostname that was visited. */
      who: string
      /** The operation; of a site the status of the answer. */
      what: string
      calls: number
      failures: number
    } & Record<(typeof BUCKETS)[number], number>
    failed_requests: {
      project_id: number
      at: number
      request_id: string
      environment: Environment
      operation: string
      key_id: string
      status: number
      code: string
    }
  }
}
