import { queryOptions } from '@tanstack/react-query'
import type { Plan } from '../../../client/src/platform/platform.ts'
import { platform } from './platform.ts'

export type {
  AnyProject,
  Instance,
  PlatformCertificate,
  PressingWork,
  WorkQueue,
} from '../../../client/src/platform/platform.ts'
export type { Plan }

export const allProjectsQuery = queryOptions({
  queryKey: ['operator', 'projects'],
  queryFn: ({ signal }) => platform.call('GET /operator/projects', { signal }),
})

export const accountsQuery = queryOptions({
  queryKey: ['operator', 'accounts'],
  queryFn: ({ signal }) => platform.call('GET /operator/accounts', { signal }),
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
