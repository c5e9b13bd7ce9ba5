/** What travels between the main thread and the writer thread. */
export interface WriterData {
  file: string
  /** A module that exports `writes`, the list of every write of the house. */
  writesModule: string
}

export interface WriteJob {
  id: number
  name: string
  input: unknown
}

export type WriteResult =
  | { id: number; ok: true; outcome: unknown }
  | { id: number; ok: false; storageTrouble: boolean; message: string; stack: string }
