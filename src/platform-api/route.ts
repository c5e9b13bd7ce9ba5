import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Access } from '../features/accounts/members.ts'
import type { Role } from '../features/accounts/role.ts'
import type { SignedIn, Visitor } from '../features/accounts/sessions.ts'
import type { Bearer } from '../features/keys/tokens/tokens.ts'
import { type ErrorCode, invalid } from '../platform/errors.ts'
import type { Cursors, Position } from '../platform/http/lists/cursor.ts'
import { nextLink, type PageRequest, requireBody } from '../platform/http/lists/page.ts'
import { queryReader } from '../platform/http/query-string.ts'
import { validator } from '../platform/http/validator.ts'
import { declared, type ObjectSchema, type Properties, type Schema } from '../platform/schema.ts'
import type { AuditedStorage } from '../platform/storage/storage.ts'

/**
 * The least that a route asks for: nothing, somebody signed in, a role in the project that the path names
 * as `{project}`, or the operator's rights.
 */
export type RouteRole = 'public' | 'session' | Role | 'operator'

export interface PublicCall {
  /** Whoever is signed in, also where nobody needs to be. */
  readonly who: SignedIn | undefined
  /** The token in whose maker's name it is, where it is not by session. */
  readonly bearer: Bearer | undefined
  readonly visitor: Visitor
  /** Everything written through it leaves an audit entry that names the caller. */
  readonly storage: AuditedStorage
  /** Whether anything has been written through it by now. */
  hasChanged(): boolean
  readonly parameters: Readonly<Record<string, string>>
  /** Path and query as they came. */
  readonly url: string
  /** Address of the management interface as the caller knows it. */
  readonly baseUrl: string
  /** Whether the caller's connection is encrypted as far as cookies are concerned. */
  readonly secure: boolean
  /** For routes that read their body themselves. */
  readonly request: IncomingMessage
  /** Throws where whoever was let in with the head of the request would not be any more. */
  judgeAgain(): Promise<void>
  /** Aborts when whoever called has gone: for what is waited for. */
  left(): AbortSignal
}

interface SessionCall extends PublicCall {
  readonly who: SignedIn
}

export interface ProjectCall extends SessionCall {
  readonly project: Access
}

type CallOf<R extends RouteRole> = R extends 'public'
  ? PublicCall
  : R extends 'session' | 'operator'
    ? SessionCall
    : ProjectCall

export interface Reply {
  readonly status: number
  /** Sent as JSON; `json` is JSON already. */
  readonly value?: unknown
  readonly json?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** Writes the body by itself, and goes on doing so. */
  readonly stream?: (response: ServerResponse) => void
}

export interface RouteContract {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/platform/v1`, with `{name}` for parameters. */
  readonly path: string
  readonly role: RouteRole
  /** What it does, in a few words: its heading in the reference. */
  readonly summary: string
  /** What else people need to know before they call it. */
  readonly description?: string
  /** Statuses of its good answers, where they are not 200, or 204 for nothing. */
  readonly answers?: readonly number[]
  /** Answers with server-sent events for as long as somebody listens. */
  readonly events?: true
  /** Beside those that follow from who may call it and what it takes. */
  readonly errors?: readonly ErrorCode[]
  /** Also for those who must confirm their address first. */
  readonly unconfirmed?: true
  /**
   * Whether it is there in a project that is suspended. Unless told, what only reads is: what is suspended neither
   * changes nor tells anybody anything.
   */
  readonly whileSuspended?: boolean
  /** The handler reads `call.request` itself: uploads of any size and type. */
  readonly streams?: true
  /** No share of changes refuses it: a file on its way to a deploy, or what somebody must always be able to end. */
  readonly uncounted?: true
}

/** What the document shows of a request beside its path. */
interface RouteTakes {
  readonly body?: ObjectSchema | undefined
  readonly query?: ObjectSchema | undefined
  /** Parameters of the path that are more than text. */
  readonly parameters?: Properties | undefined
  /** Takes `If-Match`. */
  readonly conditional?: true | undefined
}

/** One row of the route table: enough to serve it, to document it, and to test who may use it. */
export interface DashboardRoute extends RouteContract {
  readonly takes: RouteTakes
  /** Of a good answer, where it is not the client's type that says it. */
  readonly answer?: Schema | undefined
  handle(call: PublicCall, body: unknown): Promise<Reply>
}

interface RouteDefinition<R extends RouteRole, Body, Query> extends RouteContract {
  readonly role: R
  readonly body?: ObjectSchema<Body>
  readonly query?: ObjectSchema<Query>
  /** Of JSON that the handler reads itself. */
  readonly streamed?: ObjectSchema
  /** Begins the message that refuses a body: "The key was not created". */
  readonly refusal?: string
  handle(call: CallOf<R> & { readonly query: Query }, body: Body): Promise<Reply>
}

/** Gives the handler the types of its role, query and body, and only the fields that their schemas declare. */
export function route<const R extends RouteRole, Body = undefined, Query = undefined>(
  definition: RouteDefinition<R, Body, Query>,
): DashboardRoute {
  const { body: schema, streamed, query, refusal = 'The request is not valid', handle, ...contract } = definition
  const validate = schema && validator(schema, refusal)
  const readQuery = query && queryReader(query)
  return {
    ...contract,
    takes: { body: schema ?? streamed, query },
    handle: (call, body) =>
      handle(
        // The app has admitted the caller by the role, so that the call holds what the role promises.
        { ...(call as CallOf<R>), query: (readQuery?.(call.url) ?? undefined) as Query },
        validate ? declared(schema, validate(requireBody(body))) : (undefined as Body),
      ),
  }
}

export const ok = (value: unknown, headers: Reply['headers'] = {}): Reply => ({ status: 200, value, headers })
/** A page, with the way to the next one. */
export function okPage<Row>({ url, baseUrl }: PublicCall, listed: ListedPage<Row>): Reply {
  const { page, rows, cursors, positionOf, endsAt } = listed
  const shown = rows.slice(0, page.limit)
  const last = rows.length > page.limit ? positionOf(shown.at(-1) as Row) : endsAt
  if (last === undefined) return ok(shown)
  const path = url.slice(url.indexOf('/platform/v1') + '/platform/v1'.length).split('?', 1)[0]
  const [name, value] = nextLink(`${baseUrl}${path}`, page, cursors, last)
  return ok(shown, { [name]: value })
}

interface ListedPage<Row> {
  page: PageRequest<object>
  /** One more than are shown, where there is another page. */
  rows: readonly Row[]
  cursors: Cursors
  positionOf(row: Row): Position
  /** Where the look ended that has found fewer; undefined where there are no more. */
  endsAt?: Position | undefined
}

export const created = (value: unknown, headers: Reply['headers'] = {}): Reply => ({ status: 201, value, headers })
export const done = (headers: Reply['headers'] = {}): Reply => ({ status: 204, headers })

/** A parameter that the path is sure to have. */
export function parameter({ parameters }: PublicCall, name: string): string {
  const value = parameters[name]
  if (value === undefined) throw invalid(`The path must name ${name}.`)
  return value
}
