import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { Head } from './operation.ts'

/** What a proxy that the operator trusts has said about the client of a request. */
export interface ForwardedClient {
  address: string
  /** Undefined where it does not say. */
  isEncrypted: boolean | undefined
}

const forwarded = new WeakMap<IncomingMessage, ForwardedClient>()

/** For whoever accepts requests, before anybody asks. */
export function noteForwardedClient(request: IncomingMessage, client: ForwardedClient): void {
  forwarded.set(request, client)
}

/** Who has sent the request, whatever stands between. */
export function clientAddress(request: IncomingMessage): string | undefined {
  return forwarded.get(request)?.address ?? request.socket.remoteAddress
}

/** Whether the client's own connection is encrypted. */
export function isEncrypted(request: IncomingMessage): boolean {
  return forwarded.get(request)?.isEncrypted ?? (request.socket as TLSSocket).encrypted === true
}

export type MaybeHttp2Response = ServerResponse & {
  stream?: ServerHttp2Stream
  /** Those of a stream that is served by itself (edge/tls/h2-exchange.ts). */
  writeReadyHead?(status: number, head: Head): void
  readonly tellsOfEverySending?: boolean
}

/** Whether nobody will read the answer any more. HTTP/2 responses know it of their stream only. */
export const isGone = (response: MaybeHttp2Response) => response.destroyed || response.stream?.destroyed === true

/** Aborts when nobody will. */
export function leaving(response: ServerResponse): AbortSignal {
  if (isGone(response)) return AbortSignal.abort()
  const left = new AbortController()
  response.once('close', () => left.abort())
  return left.signal
}
