import { infiniteQueryOptions } from '@tanstack/react-query'
import type { AuditEntry } from '../../../src/features/audit/audit.ts'
import { pathOf } from './projects.ts'
import { requestPage } from './request.ts'

export type { AuditEntry }

export const auditQuery = (slug: string | null) =>
  infiniteQueryOptions({
    queryKey: slug === null ? ['account', 'audit'] : ['projects', slug, 'audit'],
    queryFn: ({ signal, pageParam }) => requestPage<AuditEntry>(pageParam, { signal }),
    initialPageParam: `${slug === null ? '/account' : pathOf(slug)}/audit?limit=50`,
    getNextPageParam: (page) => page.next,
  })
