import { PetstoreAnswerError, PetstoreError } from '../errors.ts'
import { asksForNone, nextSearch, searchOf } from '../pages.ts'
import { createTransport, type Failure, type Send, type TransportOptions } from '../transport.ts'
import type { Routes } from './routes.ts'

export { type ErrorCode, PetstoreAnswerError, PetstoreConnectionError, PetstoreError } from '../errors.ts'
export type { Int64, NewOrder, NewPet, Order, OrderPatch, OrderStatus, Pet, PetPatch, PetStatus } from '../types.ts'
export type { OrderFilter, PetFilter } from '../pages.ts'
export type { DeprecationNotice, EndedRequest, SentRequest } from '../transport.ts'
export type * from './accounts.ts'
export type * from './domain-checks.ts'
export type * from './domain-connect.ts'
export type * from './domain-switch.ts'
export type * from './domains.ts'
export type * from './evidence.ts'
export type * from './operator.ts'
export type * from './projects.ts'
export type * from './sandbox.ts'
export type * from './webhooks.ts'
export type { EventType } from '../webhooks/events.ts'
export type { Routes } from './routes.ts'

export interface PlatformOptions extends Omit<TransportOptions, 'key' | 'baseUrl'> {
  /** Of the service; the page's own where it is not given. */
  origin?: string | URL | undefined
  /** A token of a project, `ps_pat_…`. Pages of the service itself have the session of whoever is signed in. */
  token?: string | undefined
}

/** Every `{name}` of the path; the body and the query where the route has them. */
export type Given<Name extends keyof Routes> = Record<PathPart<Name>, string | number | bigint> &
  BodyOf<Routes[Name]> &
  QueryOf<Routes[Name]> & { signal?: AbortSignal | undefined }

type PathPart<Path> = Path extends `${string}{${infer Part}}${infer Rest}` ? Part | PathPart<Rest> : never
type BodyOf<Route> = Route extends { body: infer Body } ? { body: Body } : unknown
type QueryOf<Route> = Route extends { query: infer Query } ? { query?: Query | undefined } : unknown

/** The routes that answer with a list in pages. */
type PagedRoute = {
  [Name in keyof Routes]: Routes[Name] extends { query: infer Query }
    ? 'cursor' extends keyof Query
      ? Name
      : never
    : never
}[keyof Routes]

/** A query as it stands in an address. */
export type PageSearch = Record<string, string | string[]>

export interface Page<Item> {
  items: Item[]
  /** The query of the next page; undefined on the last one. */
  next: PageSearch | undefined
}

export type Platform = ReturnType<typeof createPlatform>

const BASE = '/platform/v1'
/** A file is named by its content, so that it can be sent again; the service may have no place for a moment. */
const FILE_RETRIES = 7

const isRefusedForAMoment = (error: Failure) =>
  error instanceof PetstoreError && (error.status === 429 || error.status === 503)

/** Nothing has been done. */
const isRefusedForItsRate = (error: Failure) => error instanceof PetstoreError && error.status === 429

/** The project's other uploads fill its share: on a slow line each of them takes minutes. */
const isToldWhenToSend = (error: Failure) =>
  error instanceof PetstoreError && error.status === 429 && error.retryAfterSeconds !== undefined

/** The management interface: projects, their people, keys, deploys and domains. One try may take a minute. */
export function createPlatform({ origin = '', token, timeoutMs = 60_000, ...options }: PlatformOptions = {}) {
  const baseUrl = String(origin).replace(/\/+$/, '') + BASE
  const transport = createTransport({ ...options, timeoutMs, key: token, baseUrl })

  const send = (operation: string, given: AnyGiven) => {
    const method = operation.slice(0, operation.indexOf(' '))
    const { signal, body = method === 'GET' ? undefined : {} } = given
    return transport({ method, path: pathOf(operation, given), operation, body, signal, ...repetition(method, body) })
  }

  const pathOf = (operation: string, given: AnyGiven) =>
    operation
      .slice(operation.indexOf('/'))
      .replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(String(given[part]))) + searchOf(given.query ?? {})

  return {
    /** `platform.call('POST /projects/{project}/domains', { project: 'kennel', body: { hostname } })` */
    call: async <Name extends keyof Routes>(name: Name, given: Given<Name>) =>
      (await send(name, given)).body as Routes[Name]['answer'],
    page: async <Name extends PagedRoute>(name: Name, given: Given<Name>) => {
      if (asksForNone((given as AnyGiven).query ?? {})) return { items: [], next: undefined }
      const { body, headers } = await send(name, given)
      if (!Array.isArray(body)) throw new PetstoreAnswerError({ status: 200, headers })
      const search = nextSearch(headers)
      const next = search && queryOf(new URLSearchParams(search))
      return { items: body, next } as Page<Routes[Name]['answer'][number]>
    },
    /** Where a `GET` is answered, for a link. */
    addressOf: <Name extends keyof Routes>(name: Name, given: Given<Name>) => baseUrl + pathOf(name, given),
  }
}

type Repetition = Pick<Parameters<Send>[0], 'mayRetry' | 'retries' | 'isWait'>

/** What only reads, or says the same twice, is sent again as the animals' are; all else only where nothing was done. */
function repetition(method: string, body: object | undefined): Repetition {
  if (method === 'PUT' && body instanceof Blob) {
    return { mayRetry: isRefusedForAMoment, retries: FILE_RETRIES, isWait: isToldWhenToSend }
  }
  return method === 'GET' || method === 'PUT' ? {} : { mayRetry: isRefusedForItsRate }
}

const queryOf = (search: URLSearchParams): PageSearch =>
  Object.fromEntries([...search.keys()].map((name) => [name, search.getAll(name)]))

interface AnyGiven {
  readonly [part: string]: unknown
  readonly body?: object
  readonly query?: object | undefined
  readonly signal?: AbortSignal | undefined
}
