import type { IncomingMessage } from 'node:http'
import { invalid, PetstoreError } from '../platform/errors.ts'
import { allowSlowBody } from '../platform/http/slow-body.ts'

const SILENCE_MAX_MS = 30_000

/** The body as it arrives, for as long as something arrives: who is slow has time, who is silent has not. */
export async function* uploadBody(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  const endPermission = allowSlowBody(request)
  const silent = new PetstoreError('request_timeout', 'Nothing of the upload arrived for 30 seconds. Send it again.')
  const watch = setTimeout(() => request.destroy(silent), SILENCE_MAX_MS)
  try {
    // Who stops reading still has an answer to send on the same connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      watch.refresh()
      yield chunk
      // The reader's own time does not count.
      watch.refresh()
    }
  } catch (error) {
    throw error === silent ? silent : new PetstoreError('invalid_request', BROKEN_OFF, { cause: error })
  } finally {
    clearTimeout(watch)
    endPermission()
  }
}

/** For a body that has to be there as a whole. */
export async function uploadedJson(request: IncomingMessage, bytesMax: number): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of uploadBody(request)) {
    bytes += chunk.length
    if (bytes > bytesMax) {
      throw new PetstoreError('payload_too_large', `The request body is larger than ${bytesMax} bytes.`)
    }
    chunks.push(chunk)
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch {
    throw invalid('The request body is not valid JSON.')
  }
}

const BROKEN_OFF = 'The upload broke off before its end. Send it again.'
