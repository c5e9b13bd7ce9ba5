import { PetstoreConnectionError, PetstoreError } from '../errors.ts'
import { stringifyExact } from '../int64.ts'
import { nextSearch, searchOf } from '../pages.ts'
import { type Answer, readAnswer } from '../transport.ts'
import type { Routes } from './routes.ts'

export { type ErrorCode, PetstoreAnswerError, PetstoreConnectionError, PetstoreError } from '../errors.ts'
export type { Int64, NewOrder, NewPet, Order, OrderPatch, OrderStatus, Pet, PetPatch, PetStatus } from '../types.ts'
export type { OrderFilter, PetFilter } from '../pages.ts'
export type * from './accounts.ts'
export type * from './domain-checks.ts'
export type * from './domain-connect.ts'
export type * from './domain-switch.ts'
export type * from './domains.ts'
export type * from './operator.ts'
export type * from './projects.ts'
export type * from './sandbox.ts'
export type * from './webhooks.ts'
export type { EventType } from '../webhooks/events.ts'
export type { Routes } from './routes.ts'

export interface PlatformOptions {
  /** Of the service; the page's own where it is not given. */
  origin?: string
  /** Brings the session along: a browser's does by itself. */
  fetch?: typeof globalThis.fetch
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
const SENDS_MAX = 8
const MOMENT_SECONDS_MAX = 10

const isForAMoment = ({ status, retryAfterSeconds = Infinity }: PetstoreError) =>
  (status === 429 || status === 503) && retryAfterSeconds <= MOMENT_SECONDS_MAX

const UNREACHABLE = 'The service did not answer. Check that it is running and that you are online, then try again.'

/** The management interface: projects, their people, keys, deploys and domains. */
export function createPlatform({ origin = '', fetch = globalThis.fetch }: PlatformOptions = {}) {
  async function send(name: string, given: AnyGiven, tries = 1): Promise<Answer> {
    const { body = {}, signal = null } = given
    const method = name.slice(0, name.indexOf(' '))
    const isBlob = body instanceof Blob
    const content = {
      headers: { 'Content-Type': isBlob ? 'application/octet-stream' : 'application/json' },
      body: isBlob ? body : stringifyExact(body),
    }
    const response = await fetch(addressOf(name, given), {
      method,
      signal,
      ...(method === 'GET' ? {} : content),
    }).catch((cause: unknown) => {
      throw signal?.aborted ? cause : new PetstoreConnectionError(UNREACHABLE, { reason: 'network', cause })
    })
    const answer = await readAnswer(response).catch((cause: unknown) => {
      throw signal?.aborted ? signal.reason : cause
    })
    if (!(answer instanceof PetstoreError)) return answer
    // A file is named by its content, so that it can be sent again; the places for uploads may be taken for a moment.
    if (!isBlob || method !== 'PUT' || tries >= SENDS_MAX || !isForAMoment(answer)) throw answer
    await new Promise((resolve) => setTimeout(resolve, (answer.retryAfterSeconds as number) * 1000))
    return send(name, given, tries + 1)
  }

  function addressOf(name: string, given: AnyGiven): string {
    const path = name
      .slice(name.indexOf('/'))
      .replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(String(given[part])))
    return origin + BASE + path + searchOf(given.query ?? {})
  }

  return {
    /** `platform.call('POST /projects/{project}/domains', { project: 'kennel', body: { hostname } })` */
    call: async <Name extends keyof Routes>(name: Name, given: Given<Name>) =>
      (await send(name, given)).body as Routes[Name]['answer'],
    page: async <Name extends PagedRoute>(name: Name, given: Given<Name>) => {
      const { body, headers } = await send(name, given)
      const search = nextSearch(headers)
      const next = search && queryOf(new URLSearchParams(search))
      return { items: body, next } as Page<Routes[Name]['answer'][number]>
    },
    /** Where a `GET` is answered, for a link. */
    addressOf: <Name extends keyof Routes>(name: Name, given: Given<Name>) => addressOf(name, given),
  }
}

const queryOf = (search: URLSearchParams): PageSearch =>
  Object.fromEntries([...search.keys()].map((name) => [name, search.getAll(name)]))

interface AnyGiven {
  readonly [part: string]: unknown
  readonly body?: object
  readonly query?: object | undefined
  readonly signal?: AbortSignal | undefined
}
