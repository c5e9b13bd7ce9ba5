import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PetstoreError } from '../errors.ts'
import type { Answer, Caller, Environment, Head } from './operation.ts'

/** One request and its answer, and what is known of them so far. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Of the address that the request came to. */
  readonly environment: Environment
  readonly requestId: string
  readonly startedAt: number
  /** Headers that every answer of the address has. */
  readonly addressHead: Head | undefined
  route: HttpRoute | undefined
  /** Of the path, decoded. */
  parameters: Record<string, string>
  /** Whose key it was, where the interface knows its callers by keys. */
  caller: Caller | undefined
  /** The RateLimit header's value, once the key's bucket has been asked. */
  rate: string | undefined
}

/** What one method does at one path. */
export interface HttpRoute<Call = unknown> {
  readonly id: string
  readonly method: string
  /** Below the interface's prefix, with `{name}` for parameters. */
  readonly path: string
  /** What becomes of the body: parsed as JSON, left to `answer`, or not looked at. */
  readonly body: 'json' | 'stream' | 'ignored'
  /** Headers of every answer, such as what a deprecated operation promises; as often as can be the same list. */
  readonly notices?: ((exchange: Exchange) => readonly string[]) | undefined
  /**
   * Who calls and whether they may, before any body is read, and again behind one that took its time. What it throws is
   * the answer.
   */
  admit(exchange: Exchange, isAgain: boolean): Call | Promise<Call>
  answer(call: Call, body: unknown): Answer | Promise<Answer>
}

/** Everything that is served below one prefix. */
export interface HttpInterface {
  readonly prefix: string
  readonly environments: readonly Environment[]
  readonly routes: readonly HttpRoute[]
  /** Whether pages of any origin may use it: only where callers are known by a key, never by a cookie. */
  readonly crossOrigin: boolean
  readonly ratePolicy?: string | undefined
  /** A path with a longer parameter leads nowhere. */
  readonly parameterLengthMax: number
  /** For people who came to a path that is not there. */
  nothingAt(path: string): string
  /** After every answer. */
  answered(exchange: Exchange, status: number, failure: PetstoreError | undefined): void
}
