import { infiniteQueryOptions } from '@tanstack/react-query'
import type { AuditEntry, Page, PageSearch } from '../../../client/src/platform/platform.ts'
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
