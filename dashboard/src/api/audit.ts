import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AuditEntry, Environment, Int64, Page, PageSearch } from '../../../client/src/platform/platform.ts'
import { platform } from './platform.ts'

export type { AuditEntry }

export const auditQuery = (slug: string | null) =>
  infiniteQueryOptions({
    queryKey: slug === null ? ['account', 'audit'] : ['projects', slug, 'audit'],
    queryFn: ({ signal, pageParam: query }): Promise<Page<AuditEntry>> =>
      slug === null
        ? platform.page('GET /account/audit', { query, signal })
        : platform.page('GET /projects/{project}/audit', { project: slug, query, signal }),
    initialPageParam: { limit: '50' } as PageSearch,
    getNextPageParam: (page) => page.next,
  })

/** What people did to one animal, newest first. */
export const petHistoryQuery = (project: string, environment: Environment, petId: Int64) => {
  const first = { about: 'pet', subject: String(petId), environment, limit: 50 }
  return queryOptions({
    queryKey: ['projects', project, 'audit', first],
    queryFn: async ({ signal }) => {
      const pageOf = (query: PageSearch | typeof first) =>
        platform.page('GET /projects/{project}/audit', { project, query, signal })
      let { items, next } = await pageOf(first)
      // What is asked for may lie behind many changes of others that have the same number.
      while (items.length === 0 && next !== undefined) ({ items, next } = await pageOf(next))
      return items
    },
  })
}
