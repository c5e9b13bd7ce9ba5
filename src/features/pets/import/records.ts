import { BadRow } from './bad-row.ts'

export interface Position {
  /** Bytes before it. */
  bytes: number
  /** Lines before it. */
  lines: number
}

/** One row of the file as it stands there, without its line break. */
export interface TextRecord {
  bytes: Buffer
  /** Of its first line, counted from 1. */
  line: number
  /** Just behind its line break. */
  end: Position
}

/** A row of ours needs 2 KiB at most: a longer one is a file of another kind, or a quote that never closes. */
const RECORD_BYTES_MAX = 1024 * 1024
const LINE_FEED = 10
const QUOTE = 34

/**
 * Cuts a file into rows, as many at a time as one chunk holds, with never more than a row and a chunk in memory.
 * Where `quoted`, a line break between double quotes belongs to the row.
 */
export async function* splitRecords(
  chunks: AsyncIterable<Buffer>,
  from: Position,
  quoted: boolean,
): AsyncGenerator<TextRecord[]> {
  let { bytes: offset, lines } = from
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const endOfRecord = quoted ? csvRecordEnds(bytes) : (start: number) => bytes.indexOf(LINE_FEED, start)
    const records: TextRecord[] = []
    let start = 0
    for (let end = endOfRecord(0); end !== -1; end = endOfRecord(start)) {
      const text = bytes.subarray(start, end)
      const line = lines + 1
      lines += 1 + (quoted ? countLineFeeds(text) : 0)
      start = end + 1
      records.push({ bytes: text, line, end: { bytes: offset + start, lines } })
    }
    rest = bytes.subarray(start)
    offset += start
    if (rest.length > RECORD_BYTES_MAX) {
      const why = 'the row is longer than 1 MiB. Close its quotation mark, or choose another format'
      throw new BadRow(lines + 1, why, rest)
    }
    if (records.length > 0) yield records
  }
  if (rest.length === 0) return
  const end = { bytes: offset + rest.length, lines: lines + 1 + (quoted ? countLineFeeds(rest) : 0) }
  yield [{ bytes: rest, line: lines + 1, end }]
}

/** Finds line breaks outside of quotes. Asked with growing starts, it looks at every byte twice at most. */
function csvRecordEnds(bytes: Buffer): (start: number) => number {
  let quote = bytes.indexOf(QUOTE)
  return (start) => {
    let lineFeed = bytes.indexOf(LINE_FEED, start)
    while (quote !== -1 && lineFeed !== -1 && quote < lineFeed) {
      const closing = bytes.indexOf(QUOTE, quote + 1)
      if (closing === -1) return -1
      if (closing > lineFeed) lineFeed = bytes.indexOf(LINE_FEED, closing + 1)
      quote = bytes.indexOf(QUOTE, closing + 1)
    }
    return lineFeed
  }
}

function countLineFeeds(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++
  return count
}
