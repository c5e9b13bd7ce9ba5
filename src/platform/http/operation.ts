import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { ErrorCode } from '../errors.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { ObjectSchema, Schema } from '../schema.ts'
import type { Tables } from '../storage/tables.ts'
import type { Tenant } from '../tenant.ts'
import type { ContentEncoding } from './encoding/negotiate.ts'
import { etagOf } from './etag.ts'

export type Environment = 'production' | 'staging'
export const ENVIRONMENTS: readonly Environment[] = ['production', 'staging']

export type Scope = 'read' | 'write'
type Stability = 'stable' | 'beta' | 'experimental'

/** Read by the headers, the OpenAPI document, the reference and the 410 alike. */
export interface Deprecation {
  /** The instant since which the operation is deprecated, ISO 8601. */
  since: string
  /** The day on which it is removed: from its first instant, UTC, the operation answers 410. */
  sunset: string
  /** Path of the operation that replaces it, relative to the base address. */
  successor: string
  /** How to move, for people. */
  advice: string
}

interface Success {
  status: 200 | 201 | 204
  description: string
  /** Of the body, where there is one. */
  schema?: Schema
  example?: unknown
  headers: readonly ('Link' | 'Location' | 'OrderLocation' | 'ETag')[]
}

/** Everything that the document says of an operation, and that the server does by itself. */
export interface OperationContract {
  id: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to the base address, with `{name}` for parameters. */
  path: string
  group: 'Pets' | 'Store'
  summary: string
  description: string
  stability: Stability
  scope: Scope
  tryOut?: false
  deprecation?: Deprecation
  query?: ObjectSchema
  /** Those of its parameters that are beta where the operation is stable. */
  betaQuery?: readonly string[]
  parameters?: Record<string, Schema>
  body?: { schema: Schema; name: string; example: unknown }
  idempotent?: true
  /** Takes `If-Match`: 412 where what is there is something else. */
  conditional?: true
  success: Success
  errors: readonly ErrorCode[]
}

/** Who calls: found from the bearer key before anything else is looked at. */
export interface Caller {
  readonly keyId: string
  readonly projectId: number
  readonly environment: Environment
  readonly scopes: readonly Scope[]
  /** Project and environment as one word: what answers are kept under. */
  readonly tenant: string
}

/** An operation asks only whose animals are meant; the interface knows the key that called as well. */
export interface Call<By extends Tenant = Tenant> {
  readonly caller: Readonly<By>
  /** Path and query as they came. */
  readonly url: string
  /** Of the environment that was called. */
  readonly baseUrl: string
  readonly parameters: Record<string, string>
  readonly headers: IncomingHttpHeaders
  /** Parsed exactly and not yet validated; undefined when no body came. */
  readonly body: unknown
}

export interface Answer {
  readonly status: number
  /** JSON text. */
  readonly body: string
  /** Makes the answer conditional: `If-None-Match` turns it into 304. */
  readonly etag?: string
  /** Shared caches may keep it: it is the same for everybody, with or without a key. */
  readonly isPublic?: true
  /** Flat list of names and values. */
  readonly headers?: readonly string[]
  /** Writes what follows the head, for as long as it takes; there is no other body then. */
  readonly stream?: (response: ServerResponse) => void
  /** Set once it is known to be sent more than once: only then is it compressed. */
  repeated?: boolean
  /** Made when the answer is first sent, and used again when it is kept. */
  wire?: WireForm
}

/** An answer as it goes onto the wire: everything but the request id and the rate, which differ each time. */
export interface WireForm {
  /** What it has in common with others. */
  readonly shared: Head
  /** What it alone has. */
  readonly headers: readonly string[]
  /** These as text; made when it is first sent. */
  lines?: string
  /** Its bytes, one in each character: headers and body are then written in one piece, which is 11 % faster. */
  readonly body: string
  /** The compressed forms that were asked for. */
  encoded?: Partial<Record<ContentEncoding, MaybePromise<WireForm>>>
}

/** Headers as a flat list and as text, in lines. */
export interface Head {
  readonly headers: readonly string[]
  /** As HTTP/1 has them. */
  readonly lines: string
  /** As Node hands them over for HTTP/2. */
  readonly fields: Fields
}

export interface Fields {
  readonly text: string
  readonly count: number
}

export interface Operation {
  readonly contract: OperationContract
  /** The resource that a question is about: its answer is kept until this changes for the same tenant. */
  readonly reads?: keyof Tables
  handle(call: Call): MaybePromise<Answer>
}

/** What a write has made of a resource: with its validator, but no answer that a condition could replace. */
export const written = (status: 200 | 201, body: string, headers: readonly string[] = []): Answer => ({
  status,
  body,
  headers: ['ETag', etagOf(body), ...headers],
})
