import { invalid } from '../../../platform/errors.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('the row is not valid UTF-8. Save the file as UTF-8')
  }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Spreadsheets put a byte order mark before the first row. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes
}
