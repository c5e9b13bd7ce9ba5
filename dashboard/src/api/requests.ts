import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { RequestsRange } from '../../../client/src/platform/platform.ts'
import { platform } from './platform.ts'
import type { Environment } from './projects.ts'

export type { FailedRequest, Requests, RequestsRange, RequestTotals } from '../../../client/src/platform/platform.ts'

const FRESH = { staleTime: 10_000, refetchInterval: 30_000 } as const

export const requestsQuery = (project: string, query: { environment: Environment; range: RequestsRange }) =>
  queryOptions({
    queryKey: ['projects', project, 'requests', query],
    queryFn: ({ signal }) => platform.call('GET /projects/{project}/requests', { project, query, signal }),
    placeholderData: keepPreviousData,
    ...FRESH,
  })

export const trafficQuery = (project: string, query: { range: RequestsRange }) =>
  queryOptions({
    queryKey: ['projects', project, 'traffic', query],
    queryFn: ({ signal }) => platform.call('GET /projects/{project}/traffic', { project, query, signal }),
    placeholderData: keepPreviousData,
    ...FRESH,
  })

export const failedRequestsQuery = (project: string, query: { environment: Environment }) =>
  queryOptions({
    queryKey: ['projects', project, 'failed-requests', query],
    queryFn: ({ signal }) => platform.call('GET /projects/{project}/failed-requests', { project, query, signal }),
    ...FRESH,
  })
