import { invalid } from '../../errors.ts'
import type { Int64 } from '../../int64.ts'
import type { ObjectSchema } from '../../schema.ts'
import type { JsonPage } from '../../storage/json-page.ts'
import type { Cursors, Position } from './cursor.ts'
import { etagOf } from '../etag.ts'
import { LIMIT_DEFAULT } from '../openapi/page-parameters.ts'
import type { Answer } from '../operation.ts'
import { queryReader } from '../query-string.ts'

export interface PageRequest<Filter> {
  limit: number
  /** The id of the last row that was seen; 0 on the first page. */
  after: Int64
  /** What that row was sorted by, in lists that are not in the order of ids. */
  afterKey: string | undefined
  filter: Filter
  /** What the list is a list of; seals its cursors. */
  list: string
}

/** Reads `limit`, `cursor` and the list's own filters from a URL. */
export function pageReader<Filter extends object>(schema: ObjectSchema<Filter>, cursors: Cursors) {
  const readQuery = queryReader(schema)
  return (url: string, listOf: string): PageRequest<Filter> => {
    const { limit, cursor, ...filter } = readQuery(url) as Filter & { limit?: number; cursor?: string }
    const list = `${listOf} ${textOf(filter)}`
    const position = cursor === undefined ? FIRST : cursors.read(list, cursor)
    return {
      limit: limit ?? LIMIT_DEFAULT,
      after: position.id,
      afterKey: position.key,
      filter: filter as Filter,
      list,
    }
  }
}

const FIRST: Position = { id: 0 }

/** A page as the database wrote it, with the way to the next one. `url` is the list's own. */
export function pageAnswer(
  url: string,
  { body, next, nextKey: key }: JsonPage,
  page: PageRequest<object>,
  cursors: Cursors,
): Answer {
  const etag = etagOf(body)
  if (next === null) return { status: 200, body, etag, headers: [] }
  const cursor = cursors.make(page.list, { id: next, key })
  // The way on is part of the answer; of its address no more, which others may know by another name.
  const withNext = `${etag.slice(0, -1)}_${cursors.sealOf(cursor)}"`
  return { status: 200, body, etag: withNext, headers: linkTo(url, page, cursor) }
}

/** `Link: <…>; rel="next"`, with the filters repeated, so that a client only ever follows it. */
export const nextLink = (url: string, page: PageRequest<object>, cursors: Cursors, last: Position) =>
  linkTo(url, page, cursors.make(page.list, last))

function linkTo(url: string, page: PageRequest<object>, cursor: string): readonly ['Link', string] {
  let query = `limit=${page.limit}`
  const filter = page.filter as Record<string, unknown>
  for (const name of Object.keys(filter)) {
    const value = filter[name]
    if (Array.isArray(value)) for (const one of value) query += parameter(name, one)
    else query += parameter(name, value)
  }
  return ['Link', `<${url}?${query}&cursor=${cursor}>; rel="next"`]
}

const parameter = (name: string, value: unknown) => `&${name}=${encodeURIComponent(String(value))}`

/** As JSON; a replacer takes six times as long, and is needed for large numbers only. */
function textOf(filter: object): string {
  for (const value of Object.values(filter)) {
    if (typeof value !== 'string' && typeof value !== 'number') return JSON.stringify(filter, exactly)
  }
  return JSON.stringify(filter)
}

const exactly = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

export function requireBody(body: unknown): unknown {
  if (body !== undefined) return body
  throw invalid('The request has no body: send JSON with Content-Type: application/json.')
}
