/** A row that stops the import: where it stands, and why it is refused and how to mend it. */
export class BadRow extends Error {
  readonly line: number
  /** The row itself, as far as it helps to recognise it. */
  readonly excerpt: string

  constructor(line: number, message: string, bytes: Buffer) {
    super(message)
    this.line = line
    const text = bytes
      .subarray(0, EXCERPT_BYTES_MAX)
      .toString()
      .replaceAll(/[\p{Cc}\uFFFD]/gu, ' ')
      .trim()
    this.excerpt = bytes.length > EXCERPT_BYTES_MAX ? `${text}…` : text
  }
}

const EXCERPT_BYTES_MAX = 120
