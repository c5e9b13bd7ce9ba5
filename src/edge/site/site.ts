import type { Encoding } from '../../platform/http/encoding/negotiate.ts'

/** What the edge serves for a project: the files of its active deploy. */
export interface Site {
  /** The file at a path without leading slash, such as `docs/index.html`; the same object every time. */
  find(path: string): SiteFile | undefined
}

export interface SiteFile {
  readonly path: string
  /** Of the identity bytes, in hexadecimal. */
  readonly sha256: string
  /** The stored forms of the file, with their sizes in bytes. */
  readonly encodings: Readonly<Partial<Record<Encoding, number>> & { identity: number }>
  /** Names and values in turn, sent with the file in addition to what every file gets. */
  readonly headers?: readonly string[]
}
