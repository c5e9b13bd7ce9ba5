import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { CertificateAttemptView } from '../../../src/platform-api/certificate-attempt-view.ts'
import type { IssuanceBudgetView } from '../../../src/platform-api/issuance-budget-view.ts'
import type { RemovedDomainView } from '../../../src/platform-api/removed-domain-view.ts'
import type { SetRedirect } from '../../../src/features/domains/contract.ts'
import type {
  CertificateView,
  CheckView,
  DomainDetails,
  DomainView as Domain,
  IssuanceView,
} from '../../../src/features/domains/view.ts'
import type { NameserverRow } from '../../../src/features/domains/diagnosis/diagnose.ts'
import type { Evidence } from '../../../src/features/domains/observation/evidence.ts'
import type { DomainState } from '../../../src/features/domains/lifecycle.ts'
import type { Query } from '../../../src/features/domains/observation/observation.ts'
import type { Problem } from '../../../src/features/domains/diagnosis/problem.ts'
import type { DnsInstruction, RecordAdvice } from '../../../src/features/domains/record.ts'
import type { ProjectDomains } from '../../../src/features/domains/redirects.ts'
import type { LiveCheck } from '../../../src/features/domains/live/check.ts'
import type { Hop } from '../../../src/features/domains/live/fetch.ts'
import type { DanglingDns } from '../../../src/features/domains/live/dangling.ts'
import type { Troubleshooting, TroubleshootingStep } from '../../../src/features/domains/live/troubleshoot.ts'
import type { Static } from '../../../src/platform/schema.ts'
import { pathOf } from './projects.ts'
import { API, request } from './request.ts'

export type {
  CertificateAttemptView,
  CertificateView,
  CheckView,
  DanglingDns,
  DnsInstruction,
  Domain,
  DomainDetails,
  DomainState,
  Evidence,
  Hop,
  IssuanceView,
  LiveCheck,
  NameserverRow,
  Problem,
  Query,
  RecordAdvice,
  RemovedDomainView,
  TroubleshootingStep,
}

const domainPath = (slug: string, hostname: string) => `${pathOf(slug)}/domains/${encodeURIComponent(hostname)}`

export const domainsKey = (slug: string) => ['projects', slug, 'domains'] as const

/** The contract's shape, and every domain with its state. */
interface DomainList extends ProjectDomains {
  domains: Domain[]
}

const FAST_MS = 1000
const SLOW_MS = 10_000

/** How soon to look again: at once while something is under way, and now and then because a colleague may begin it. */
export function pauseMs({ state, nextCheckAt }: Pick<Domain, 'state' | 'nextCheckAt'>): number | false {
  if (state === 'verifying' || state === 'issuing') return FAST_MS
  if (state === 'removed') return false
  if (nextCheckAt === null) return SLOW_MS
  return Date.parse(nextCheckAt) - Date.now() < 60_000 ? 2 * FAST_MS : SLOW_MS
}

export const domainsQuery = (slug: string) =>
  queryOptions({
    queryKey: domainsKey(slug),
    queryFn: async ({ signal }) => (await request<DomainList>(`${pathOf(slug)}/domains`, { signal })).domains,
    // A page that is opened shows what is so now, not what the page before it knew.
    staleTime: 0,
    refetchInterval: ({ state: { data = [] } }) => {
      const pauses = data.map(pauseMs).filter((pause) => pause !== false)
      return Math.min(SLOW_MS, ...pauses)
    },
  })

export const domainQuery = (slug: string, hostname: string) =>
  queryOptions({
    queryKey: [...domainsKey(slug), hostname],
    queryFn: ({ signal }) => request<DomainDetails>(domainPath(slug, hostname), { signal }),
    refetchInterval: ({ state: { data } }) => (data ? pauseMs(data) : false),
  })

export const evidenceQuery = (slug: string, hostname: string, at: string) =>
  queryOptions({
    queryKey: [...domainsKey(slug), hostname, 'evidence', at],
    queryFn: ({ signal }) => request<Evidence>(`${domainPath(slug, hostname)}/evidence`, { signal }),
    staleTime: Infinity,
  })

export const budgetQuery = (slug: string, hostname: string) =>
  queryOptions({
    queryKey: [...domainsKey(slug), hostname, 'budget'],
    queryFn: ({ signal }) => request<IssuanceBudgetView>(`${domainPath(slug, hostname)}/budget`, { signal }),
  })

/** Known by what an attempt changes, so that the list is read again after each. */
export const attemptsQuery = (slug: string, { hostname, certificate, issuance, removedAt }: Domain) =>
  queryOptions({
    queryKey: [
      ...domainsKey(slug),
      hostname,
      'attempts',
      certificate?.serial ?? null,
      issuance?.failures ?? null,
      removedAt,
    ],
    queryFn: ({ signal }) => request<CertificateAttemptView[]>(`${domainPath(slug, hostname)}/attempts`, { signal }),
    placeholderData: keepPreviousData,
  })

export const removedDomainsQuery = (slug: string) =>
  queryOptions({
    queryKey: [...domainsKey(slug), 'removed'],
    queryFn: ({ signal }) => request<RemovedDomainView[]>(`${pathOf(slug)}/removed-domains`, { signal }),
  })

export const addDomain = (slug: string, hostname: string) =>
  request<DomainDetails>(`${pathOf(slug)}/domains`, { method: 'POST', body: { hostname } })

export const verifyDomain = (slug: string, hostname: string) =>
  request<Domain>(`${domainPath(slug, hostname)}/verify`, { method: 'POST' })

export const makePrimary = (slug: string, hostname: string) =>
  request<ProjectDomains>(`${domainPath(slug, hostname)}/primary`, { method: 'PUT' })

export const setRedirect = (slug: string, hostname: string, body: Static<typeof SetRedirect>) =>
  request<ProjectDomains>(`${domainPath(slug, hostname)}/redirect`, { method: 'PUT', body })

export const setHsts = (slug: string, hostname: string, seconds: number | null) =>
  request<Domain>(`${domainPath(slug, hostname)}/hsts`, { method: 'PUT', body: seconds === null ? {} : { seconds } })

export const removeDomain = (slug: string, hostname: string, revoke: boolean) =>
  request<unknown>(`${domainPath(slug, hostname)}${revoke ? '?revoke=true' : ''}`, { method: 'DELETE' })

/** For a download: the whole check, to be diagnosed again without a network. */
export const evidenceAddress = (slug: string, hostname: string) => `${API}${domainPath(slug, hostname)}/evidence`

export const checkServed = (slug: string, hostname: string) =>
  request<LiveCheck>(`${domainPath(slug, hostname)}/live-check`, { method: 'POST' })

/** The contract's list for a late certificate, each point with what is found at this moment. */
export const troubleshoot = (slug: string, hostname: string) =>
  request<Troubleshooting>(`${domainPath(slug, hostname)}/troubleshoot`, { method: 'POST' })

/** Whether the DNS of a domain that was removed still leads here. */
export const findDangling = (slug: string, hostname: string) =>
  request<DanglingDns>(`${domainPath(slug, hostname)}/dangling`)
