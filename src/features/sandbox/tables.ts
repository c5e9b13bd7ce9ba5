declare module '../../platform/storage/tables.ts' {
  interface Tables {
    /** Zones that people edit to rehearse; nothing outside of this machine sees them. */
    sandbox_zones: {
      apex: string
      serial: number
    }
    sandbox_records: {
      id: string
      apex: string
      name: string
      type: string
      ttl: number
      /** JSON. */
      data: string
      /** One nameserver alone, so that two disagree. */
      only_on: string | null
      added_at: number
    }
    sandbox_faults: {
      id: string
      apex: string
      kind: string
      name: string | null
      type: string | null
      only_on: string | null
      added_at: number
    }
  }
}

export {}
