import assert from 'node:assert/strict'
import type { Question, Tenant } from './shop.ts'

export interface Pet {
  id: number
  name: string
  categoryId: number | bigint
  status: string
}

/** The address with `rel="next"`, if there is one. */
export function nextPageOf(link: string | string[] | undefined): URL | undefined {
  const address = /^<([^>]+)>; rel="next"$/.exec(String(link ?? ''))?.[1]
  return address === undefined ? undefined : new URL(address)
}

/** Follows `Link` from page to page until there is none, or for as many pages as are wanted. */
export async function walk(tenant: Tenant, path: string, pagesMax = 1000, question: Question = {}): Promise<Pet[]> {
  const items: Pet[] = []
  let next: string | undefined = path
  for (let page = 0; next !== undefined && page < pagesMax; page++) {
    const answer = await tenant.get(next, question)
    assert.equal(answer.status, 200)
    items.push(...(answer.json as Pet[]))
    const url = nextPageOf(answer.headers.link)
    next = url && url.pathname.replace('/v1', '') + url.search
  }
  return items
}
