import type { IncomingMessage } from 'node:http'
import type { PetstoreError } from '../errors.ts'
import type { Caller, Environment, OperationContract } from './operation.ts'

/** What is known of a request while it is being answered. */
export interface Exchange {
  readonly environment: Environment
  readonly requestId: string
  readonly startedAt: number
  contract: OperationContract | undefined
  /** A look-up of the key that is under way. */
  arriving: Promise<Caller> | undefined
  caller: Caller | undefined
  /** The RateLimit header's value, once the key's bucket has been asked. */
  rate: string | undefined
  /** The promises that a deprecated operation makes with every answer. */
  notices: readonly string[] | undefined
}

export type ApiRequest = IncomingMessage & { exchange: Exchange }

export interface ApiObserver {
  /** After every answer. */
  answered(request: ApiRequest, status: number, failure: PetstoreError | undefined): void
}
