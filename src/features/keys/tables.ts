import type { Environment } from '../../platform/http/operation.ts'

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    keys: {
      id: string
      project_id: number
      environment: Environment
      hash: string
      hint: string
      name: string
      /** `read`, or `read write`. */
      scopes: string
      created_at: number
      expires_at: number | null
      /**
       * How long it was given for, 0 for ever; null until a rotation has it expire with its overlap: until then
       * `expires_at` says so.
       */
      lifetime_ms: number | null
      revoked_at: number | null
      /** The key that this one replaces; the old one lives on until it expires. */
      rotated_from: string | null
      /** The account that made it or took it over; null for those of the operator's commands and the first start. */
      made_by: string | null
    }
    key_usage: {
      key_id: string
      project_id: number
      environment: Environment
      operation: string
      /** Start of the hour, milliseconds. */
      hour: number
      calls: number
      failures: number
      last_at: number
    }
    /** Of each key that was ever used: what it was used for is not kept for as long. */
    key_last_uses: {
      key_id: string
      at: number
    }
  }
}
