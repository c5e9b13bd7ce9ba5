import type { PageSearch } from '../../../client/src/platform/platform.ts'

/** The query of the first page of a list: its filter, without what is not asked for. */
export function firstPage(filter: object): PageSearch {
  const query: PageSearch = { limit: '25' }
  for (const [name, value] of Object.entries(filter)) {
    if (Array.isArray(value)) query[name] = value.map(String)
    else if (value !== undefined) query[name] = String(value)
  }
  return query
}
