declare module '../../../platform/storage/tables.ts' {
  interface Tables {
    pet_imports: {
      project_id: number
      environment: string
      /** SHA-256 of the part of the file whose animals are stored; changes with every batch. */
      fingerprint: string
      /** Path of the file, or null for what came through a pipe. */
      source: string | null
      /** How far the file is stored: bytes, lines and animals. */
      bytes: number
      lines: number
      animals: number
      started_at: number
      updated_at: number
      /** Set when the file is stored to its end. */
      finished_at: number | null
    }
  }
}
