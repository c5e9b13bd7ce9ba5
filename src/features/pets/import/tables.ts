declare module '../../../platform/storage/tables.ts' {
  interface Tables {
    pet_imports: {
      project_id: number
      environment: string
      /**
       * SHA-256 of the part of the file whose animals are stored; changes with every batch. Where the rows are sent
       * by a browser: of the whole file and how its columns are read.
       */
      fingerprint: string
      /**
       * The file, by its path. Empty once it is stored to its end: from then on its contents alone count. `sent`
       * where a browser sends the rows.
       */
      source: string
      /** Of the whole file; the rows so far where they are sent. */
      size: number
      /** How far it is stored: bytes, lines and animals. */
      bytes: number
      lines: number
      animals: number
      started_at: number
      updated_at: number
      finished_at: number | null
    }
  }
}
