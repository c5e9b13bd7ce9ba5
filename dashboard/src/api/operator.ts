import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { PageSearch, Plan } from '../../../client/src/platform/platform.ts'
import { platform } from './platform.ts'

export type {
  AnyProject,
  Instance,
  PlatformCertificate,
  PressingWork,
  WorkQueue,
} from '../../../client/src/platform/platform.ts'
export type { Plan }

const firstPage = (q: string): PageSearch => (q === '' ? { limit: '50' } : { limit: '50', q })

/** Those that have the text in their name or slug. */
export const allProjectsQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['operator', 'projects', q],
    queryFn: ({ signal, pageParam: query }) => platform.page('GET /operator/projects', { query, signal }),
    initialPageParam: firstPage(q),
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

/** Those that have the text in their name or address. */
export const accountsQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['operator', 'accounts', q],
    queryFn: ({ signal, pageParam: query }) => platform.page('GET /operator/accounts', { query, signal }),
    initialPageParam: firstPage(q),
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

export const changePlan = (slug: string, plan: Plan) =>
  platform.call('PUT /operator/projects/{slug}/plan', { slug, body: { plan } })

export const suspendProject = (slug: string, reason: string) =>
  platform.call('PUT /operator/projects/{slug}/suspension', { slug, body: { reason } })

export const resumeProject = (slug: string) => platform.call('DELETE /operator/projects/{slug}/suspension', { slug })

export const inviteAccount = (email: string) =>
  platform.call('POST /operator/invitations', { body: email ? { email } : {} })

export const platformNamesQuery = queryOptions({
  queryKey: ['operator', 'platform-names'],
  queryFn: ({ signal }) => platform.call('GET /operator/platform-names', { signal }),
})

export const domainConnectQuery = queryOptions({
  queryKey: ['operator', 'domain-connect'],
  queryFn: ({ signal }) => platform.call('GET /operator/domain-connect', { signal }),
  staleTime: Infinity,
})

/** As often as the instances tell of themselves. */
const HEALTH_EVERY_MS = 15_000

export const instancesQuery = queryOptions({
  queryKey: ['operator', 'instances'],
  queryFn: ({ signal }) => platform.call('GET /operator/instances', { signal }),
  refetchInterval: HEALTH_EVERY_MS,
})

export const backlogQuery = queryOptions({
  queryKey: ['operator', 'work'],
  queryFn: ({ signal }) => platform.call('GET /operator/work', { signal }),
  refetchInterval: HEALTH_EVERY_MS,
})

export const platformCertificatesQuery = queryOptions({
  queryKey: ['operator', 'certificates'],
  queryFn: ({ signal }) => platform.call('GET /operator/certificates', { signal }),
})
