import { invalid } from '../errors.ts'
import type { Int64 } from '../int64.ts'
import { integer, type ObjectSchema, optional, text } from '../schema.ts'
import type { JsonPage } from '../storage/json-page.ts'
import { makeCursor, readCursor } from './cursor.ts'
import { etagOf } from './etag.ts'
import type { Answer } from './operation.ts'
import { readQuery } from './query-string.ts'
import { validator } from './validator.ts'

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100

/** The query parameters of every list. */
export const pageParameters = {
  limit: optional(
    integer({
      minimum: 1,
      maximum: LIMIT_MAX,
      default: LIMIT_DEFAULT,
      description: 'Maximum number of results returned.',
      rule: 'must be an integer from 1 to 100',
    }),
  ),
  cursor: optional(
    text({
      description: 'Position of the next page, taken from the `Link` header; valid for the same key and filters only.',
      rule: 'must be the value that the Link header gave',
    }),
  ),
}

export interface PageRequest<Filter> {
  limit: number
  after: Int64
  filter: Filter
  /** What the list is a list of; seals its cursors. */
  list: string
}

/** Reads `limit`, `cursor` and the list's own filters from a URL. */
export function pageReader<Filter extends object>(schema: ObjectSchema<Filter>, cursorSecret: string) {
  const declared = Object.keys(schema.properties)
  const validate = validator(schema, 'The query is not valid')
  return (url: string, listOf: string): PageRequest<Filter> => {
    const given: Record<string, unknown> = readQuery(url, declared)
    if (given.limit !== undefined) given.limit = asInteger(given.limit as string)
    const { limit, cursor, ...filter } = validate(given) as Filter & { limit?: number; cursor?: string }
    const list = `${listOf} ${JSON.stringify(filter)}`
    return {
      limit: limit ?? LIMIT_DEFAULT,
      after: cursor === undefined ? 0 : readCursor(cursorSecret, list, cursor),
      filter: filter as Filter,
      list,
    }
  }
}

/** A page as the database wrote it, with the way to the next one. `url` is the list's own. */
export function pageAnswer(
  url: string,
  { body, next }: JsonPage,
  page: PageRequest<object>,
  cursorSecret: string,
): Answer {
  return {
    status: 200,
    body,
    etag: etagOf(body),
    headers: next === null ? [] : nextLink(url, page, cursorSecret, next),
  }
}

/** `Link: <…>; rel="next"`, with the filters repeated, so that a client only ever follows it. */
export function nextLink(
  url: string,
  page: PageRequest<object>,
  cursorSecret: string,
  lastId: Int64,
): readonly ['Link', string] {
  let query = `limit=${page.limit}`
  for (const [name, value] of Object.entries(page.filter)) query += `&${name}=${encodeURIComponent(String(value))}`
  return ['Link', `<${url}?${query}&cursor=${makeCursor(cursorSecret, page.list, lastId)}>; rel="next"`]
}

function asInteger(text: string): number | string {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text
}

export function requireBody(body: unknown): unknown {
  if (body !== undefined) return body
  throw invalid('The request has no body: send JSON with Content-Type: application/json.')
}
