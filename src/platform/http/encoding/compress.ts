import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { WireForm } from '../operation.ts'
import { encodedEtag } from '../etag.ts'
import { indexOfHeader } from '../wire/form.ts'
import { acceptedEncodings, type ContentEncoding } from './negotiate.ts'

/** A smaller answer fits into the packet that its headers travel in anyway. */
const COMPRESSED_BYTES_MIN = 1024
/** More wait for zlib's four threads than they work on: whoever comes now gets the plain bytes at once. */
const UNDER_WAY_MAX = 8
const SAVING_FACTOR = 0.9
/** Between two answers that are compressed although nobody has asked for them before: 2.5 % of the thread at most. */
const FIRST_TIME_EVERY_MS = 2

let underWay = 0
let firstTimeAt = -FIRST_TIME_EVERY_MS

/**
 * The form of an answer that the caller likes best. A compressed one is made on zlib's threads when it is first asked
 * for, and kept with the answer. Starting that costs this thread 50 µs, as much as the whole answer: it is worth it
 * for what is sent again, and for the rest as long as it is not felt.
 */
export function encodedForm(
  plain: WireForm,
  acceptEncoding: string | undefined,
  isRepeated: boolean,
): WireForm | Promise<WireForm> {
  if (acceptEncoding === undefined || plain.body.length <= COMPRESSED_BYTES_MIN) return plain
  const [encoding] = acceptedEncodings(acceptEncoding)
  if (encoding === undefined || encoding === 'identity') return plain
  const encoded = (plain.encoded ??= {})
  const known = encoded[encoding]
  if (known) return known
  if (underWay >= UNDER_WAY_MAX || !(isRepeated || isTimeForFirst())) return plain
  const making = compress(plain, encoding)
  encoded[encoding] = making
  void making.then((made) => (encoded[encoding] = made))
  return making
}

function isTimeForFirst(): boolean {
  const now = performance.now()
  if (now - firstTimeAt < FIRST_TIME_EVERY_MS) return false
  firstTimeAt = now
  return true
}

async function compress(plain: WireForm, encoding: ContentEncoding): Promise<WireForm> {
  underWay++
  try {
    const bytes = await COMPRESS[encoding](Buffer.from(plain.body, 'latin1'))
    return bytes.length > plain.body.length * SAVING_FACTOR ? plain : formOf(plain, encoding, bytes)
  } catch {
    // Short of memory, most likely; the plain bytes are right as well.
    return plain
  } finally {
    underWay--
  }
}

function formOf(plain: WireForm, encoding: ContentEncoding, bytes: Buffer): WireForm {
  const headers = plain.headers.slice()
  const set = (name: string, change: (value: string) => string) => {
    const at = indexOfHeader(headers, name) + 1
    headers[at] = change(headers[at] as string)
  }
  set('ETag', (etag) => encodedEtag(etag, encoding))
  set('Content-Length', () => String(bytes.length))
  headers.push('Content-Encoding', encoding)
  return { shared: plain.shared, headers, body: bytes.toString('latin1') }
}

const brotliCompressed = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** A list of 100 animals, 6.9 KB, becomes 0.7 KB (brotli) or 1.0 KB (gzip); both take about 150 µs. */
const COMPRESS: Record<ContentEncoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    brotliCompressed(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => gzipped(bytes, { level: 6 }),
}
