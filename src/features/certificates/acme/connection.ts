import { HOUR_MS, SECOND_MS, type Clock } from '../../../platform/clock.ts'
import { AcmeError, hasType } from './acme-error.ts'
import { signRequest, type KeyReference, type SigningKey } from './jws.ts'
import { Directory, readError, readMessage } from './messages.ts'
import { NoncePool } from './nonce-pool.ts'
import type { AcmeRequest, AcmeResponse, AcmeTransport } from './transport.ts'

export interface AcmeConnection {
  directory(signal?: AbortSignal): Promise<Directory>
  /** An unsigned GET. */
  get(url: string, signal?: AbortSignal): Promise<AcmeResponse>
  post(request: SignedRequest, signal?: AbortSignal): Promise<AcmeResponse>
}

interface SignedRequest {
  url: string
  key: SigningKey
  reference: KeyReference
  /** Undefined makes a POST-as-GET. */
  payload?: object | undefined
  accept?: string
}

interface AcmeConnectionNeeds {
  transport: AcmeTransport
  clock: Clock
  random: () => number
}

const DIRECTORY_KEPT_MS = HOUR_MS
/** At a CA that refuses half of all good nonces, 24 tries fail once in 17 million. */
const NONCE_TRIES_MAX = 24
const TRIES_MAX = 6
const BACKOFF_FIRST_MS = SECOND_MS
/** A longer `Retry-After` is handed to the caller: it is cheaper to come back than to wait. */
const RETRY_AFTER_WAIT_MAX_MS = 30 * SECOND_MS

/**
 * Requests that survive what CAs and networks do every day: refused nonces, 503, short rate limits, cut connections.
 * Every try is signed anew with a nonce that was never sent before.
 */
export function createAcmeConnection(
  { transport, clock, random }: AcmeConnectionNeeds,
  directoryUrl: string,
): AcmeConnection {
  const nonces = new NoncePool()
  let known: { directory: Directory; at: number } | undefined

  const send = async (request: AcmeRequest, signal?: AbortSignal): Promise<AcmeResponse> => {
    const response = await transport(request, signal)
    const nonce = response.headers['replay-nonce']
    if (typeof nonce === 'string') nonces.put(nonce)
    if (response.status >= 200 && response.status < 300) return response
    throw readError(response, clock.now())
  }

  const connection: AcmeConnection = {
    async directory(signal) {
      if (known && clock.now() - known.at < DIRECTORY_KEPT_MS) return known.directory
      const directory = readMessage(await connection.get(directoryUrl, signal), Directory)
      known = { directory, at: clock.now() }
      return directory
    },

    get: (url, signal) => persist(() => send({ method: 'GET', url }, signal), signal),

    async post({ url, key, reference, payload, accept }, signal) {
      const { newNonce } = await connection.directory(signal)
      return persist(async () => {
        const nonce = nonces.take() ?? (await freshNonce(newNonce, signal))
        const jws = await signRequest(key, { url, nonce, ...reference }, payload)
        const headers = { 'content-type': 'application/jose+json', ...(accept === undefined ? {} : { accept }) }
        return send({ method: 'POST', url, headers, body: JSON.stringify(jws) }, signal)
      }, signal)
    },
  }
  return connection

  async function freshNonce(newNonce: string, signal?: AbortSignal): Promise<string> {
    await send({ method: 'HEAD', url: newNonce }, signal)
    const nonce = nonces.take()
    if (nonce === undefined) throw AcmeError.badResponse(`${newNonce} gave no nonce`)
    return nonce
  }

  async function persist(attempt: () => Promise<AcmeResponse>, signal?: AbortSignal): Promise<AcmeResponse> {
    let tries = 0
    let nonceTries = 0
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof AcmeError) || signal?.aborted) throw error
        if (hasType(error, 'badNonce')) {
          if (++nonceTries >= NONCE_TRIES_MAX) throw error
          nonces.keepNewest()
          continue
        }
        const waitMs = pauseBefore(error, tries)
        if (waitMs === undefined || ++tries >= TRIES_MAX) throw error
        await clock.sleep(waitMs, signal)
      }
    }
  }

  function pauseBefore(error: AcmeError, tries: number): number | undefined {
    if (error.kind !== 'unavailable' && !hasType(error, 'rateLimited')) return undefined
    const asked = error.retryAfterMs
    if (asked !== undefined) return asked <= RETRY_AFTER_WAIT_MAX_MS ? asked : undefined
    return error.kind === 'unavailable' ? BACKOFF_FIRST_MS * 2 ** tries * (1 + random()) : undefined
  }
}
