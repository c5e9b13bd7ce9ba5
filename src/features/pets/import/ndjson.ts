import { invalid, PetstoreError } from '../../../platform/errors.ts'
import { parseJsonBody } from '../../../platform/http/json-body.ts'
import type { TextRecord } from './records.ts'
import { withoutByteOrderMark } from './text.ts'

/** The value of a line, exact to the last digit and not yet validated; undefined for an empty line. */
export function readNdjsonRow({ bytes, line }: TextRecord): unknown {
  const text = line === 1 ? withoutByteOrderMark(bytes) : bytes
  if (isBlank(text)) return undefined
  try {
    return parseJsonBody(text)
  } catch (error) {
    if (!(error instanceof PetstoreError)) throw error
    throw invalid(error.message.replace('The request body', 'the row').replace(/\.$/, ''))
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 32 || byte === 13 || byte === 9)
}
