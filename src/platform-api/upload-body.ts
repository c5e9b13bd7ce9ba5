import type { IncomingMessage } from 'node:http'
import type { PublicCall } from './route.ts'
import { invalid, PetstoreError } from '../platform/errors.ts'
import { allowSlowBody } from '../platform/http/slow-body.ts'
import { giveBack } from '../platform/storage/give-back.ts'

interface UploadPace {
  /** Nothing at all may arrive for so long. */
  silenceMaxMs: number
  /** What arrives on average in each such span: what came before is no credit, or a place could be kept with it. */
  bytesPerSecondMin: number
  spanMs: number
}

/** A tenth of a bad mobile line. At this pace the largest file takes an hour, and the largest archive over three. */
const UPLOAD_PACE: UploadPace = { silenceMaxMs: 30_000, bytesPerSecondMin: 8000, spanMs: 60_000 }

/** The body of an upload, whose sender is judged again at its end: it may have taken hours. */
export async function* uploadOf({ request, judgeAgain }: PublicCall): AsyncGenerator<Uint8Array> {
  yield* uploadBody(request)
  await judgeAgain()
}

/**
 * The body as it arrives: who is slow has time; who is silent, or dribbles to keep a place, has not. A chunk is there
 * until the next is asked for. Left to the collector, a dozen megabytes of them cost a full collection each time.
 */
export async function* uploadBody(request: IncomingMessage, pace = UPLOAD_PACE): AsyncGenerator<Uint8Array> {
  const { silenceMaxMs, bytesPerSecondMin, spanMs } = pace
  const endPermission = allowSlowBody(request)
  const silence = `Nothing of the upload arrived for ${silenceMaxMs / 1000} seconds. Send it again.`
  const silent = new PetstoreError('request_timeout', silence)
  let isReadersTurn = false
  const watch = setTimeout(() => isReadersTurn || request.destroy(silent), silenceMaxMs)
  let arrived = 0
  let waitedMs = 0
  let waitingSince = performance.now()
  try {
    // Who stops reading still has an answer to send on the same connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      watch.refresh()
      arrived += chunk.length
      waitedMs += performance.now() - waitingSince
      if (waitedMs > spanMs) {
        if (arrived < (waitedMs / 1000) * bytesPerSecondMin) throw dribbles(bytesPerSecondMin)
        arrived = 0
        waitedMs = 0
      }
      // The reader's own time does not count: on a busy service, which works on one upload after the other, it is long.
      isReadersTurn = true
      yield chunk
      isReadersTurn = false
      giveBack(chunk)
      watch.refresh()
      waitingSince = performance.now()
    }
  } catch (error) {
    if (error instanceof PetstoreError) throw error
    throw new PetstoreError('invalid_request', BROKEN_OFF, { cause: error })
  } finally {
    clearTimeout(watch)
    endPermission()
  }
}

/** For a body that has to be there as a whole; `keep` is told what of it stays in memory. */
export async function uploadedJson(
  call: PublicCall,
  bytesMax: number,
  keep: (bytes: number) => void,
): Promise<unknown> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  for await (const chunk of uploadOf(call)) {
    bytes += chunk.length
    if (bytes > bytesMax) {
      throw new PetstoreError('payload_too_large', `The request body is larger than ${bytesMax} bytes.`)
    }
    keep(chunk.length)
    text += asJson(() => decoder.decode(chunk, { stream: true }))
  }
  return asJson(() => JSON.parse(text + decoder.decode()) as unknown)
}

function asJson<Value>(read: () => Value): Value {
  try {
    return read()
  } catch {
    throw invalid('The request body is not valid JSON.')
  }
}

const dribbles = (least: number) =>
  new PetstoreError(
    'request_timeout',
    `The upload arrives too slowly: at least ${least / 1000} kB a second are needed. Send it over a better line.`,
  )

const BROKEN_OFF = 'The upload broke off before its end. Send it again.'
