import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Domain } from '../../../client/src/platform/platform.ts'
import { platform } from './platform.ts'

export type {
  AnswerRow,
  CertificateAttempt,
  DanglingDns,
  DnsQuery,
  Domain,
  DomainCheck,
  DomainDetails,
  DomainInstance,
  DomainState,
  Hop,
  Issuance,
  AuthorityBudget,
  IssuanceLimit,
  LiveCheck,
  NameserverRow,
  Problem,
  RecordChange,
  RecordLine,
  RemovedDomain,
  SiteFacts,
  SwitchComparison,
  TroubleshootingStep,
} from '../../../client/src/platform/platform.ts'

export const domainsKey = (project: string) => ['projects', project, 'domains'] as const

const FAST_MS = 1000
const SLOW_MS = 10_000
/** Timers of browsers end at 25 days; nobody has a page open for longer than this. */
const MOVED_SOON_MS = 24 * 3600 * 1000

/** How soon to look again: at once while something is under way or about to be; what others begin is told. */
function pauseMs({ state, nextCheckAt }: Pick<Domain, 'state' | 'nextCheckAt'>): number | false {
  if (state === 'verifying' || state === 'issuing') return FAST_MS
  if (state === 'removed' || nextCheckAt === null) return false
  return Date.parse(nextCheckAt) - Date.now() < 60_000 ? 2 * FAST_MS : SLOW_MS
}

export const domainsQuery = (project: string) =>
  queryOptions({
    queryKey: domainsKey(project),
    queryFn: async ({ signal }) =>
      (await platform.call('GET /projects/{project}/domains', { project, signal })).domains,
    // A page that is opened shows what is so now, not what the page before it knew.
    staleTime: 0,
    refetchInterval: ({ state: { data = [] } }) => {
      const pauses = data.map(pauseMs).filter((pause) => pause !== false)
      return pauses.length === 0 ? false : Math.min(...pauses)
    },
  })

export const domainQuery = (project: string, hostname: string) =>
  queryOptions({
    queryKey: [...domainsKey(project), hostname],
    queryFn: ({ signal }) => platform.call('GET /projects/{project}/domains/{hostname}', { project, hostname, signal }),
    refetchInterval: ({ state: { data } }) => (data ? pauseMs(data) : false),
  })

export const evidenceQuery = (project: string, hostname: string, at: string) =>
  queryOptions({
    queryKey: [...domainsKey(project), hostname, 'evidence', at],
    queryFn: ({ signal }) =>
      platform.call('GET /projects/{project}/domains/{hostname}/evidence', { project, hostname, signal }),
    staleTime: Infinity,
  })

export const budgetQuery = (project: string, hostname: string) =>
  queryOptions({
    queryKey: [...domainsKey(project), hostname, 'budget'],
    queryFn: ({ signal }) =>
      platform.call('GET /projects/{project}/domains/{hostname}/budget', { project, hostname, signal }),
  })

/** Known by what an attempt changes, so that the list is read again after each. */
export const attemptsQuery = (project: string, { hostname, certificate, issuance, removedAt }: Domain) =>
  queryOptions({
    queryKey: [
      ...domainsKey(project),
      hostname,
      'attempts',
      certificate?.serial ?? null,
      issuance?.failures ?? null,
      removedAt,
    ],
    queryFn: ({ signal }) =>
      platform.call('GET /projects/{project}/domains/{hostname}/attempts', { project, hostname, signal }),
    placeholderData: keepPreviousData,
  })

export const removedDomainsQuery = (project: string) =>
  queryOptions({
    queryKey: [...domainsKey(project), 'removed'],
    queryFn: ({ signal }) => platform.call('GET /projects/{project}/removed-domains', { project, signal }),
  })

export const addDomain = (project: string, hostname: string) =>
  platform.call('POST /projects/{project}/domains', { project, body: { hostname } })

export const prepareDomain = (project: string, hostname: string) =>
  platform.call('POST /projects/{project}/prepared-domains', { project, body: { hostname } })

export const verifyDomain = (project: string, hostname: string) =>
  platform.call('POST /projects/{project}/domains/{hostname}/verify', { project, hostname })

export const makePrimary = (project: string, hostname: string) =>
  platform.call('PUT /projects/{project}/domains/{hostname}/primary', { project, hostname })

export const setRedirect = (project: string, hostname: string, body: { to: string; status: number }) =>
  platform.call('PUT /projects/{project}/domains/{hostname}/redirect', { project, hostname, body })

export const setHsts = (project: string, hostname: string, seconds: number | null) =>
  platform.call('PUT /projects/{project}/domains/{hostname}/hsts', {
    project,
    hostname,
    body: seconds === null ? {} : { seconds },
  })

export const removeDomain = (project: string, hostname: string, revoke: boolean) =>
  platform.call('DELETE /projects/{project}/domains/{hostname}', { project, hostname, query: { revoke } })

/** For a download: the whole check, to be diagnosed again without a network. */
export const evidenceAddress = (project: string, hostname: string) =>
  platform.addressOf('GET /projects/{project}/domains/{hostname}/evidence', { project, hostname })

export const checkServed = (project: string, hostname: string) =>
  platform.call('POST /projects/{project}/domains/{hostname}/live-check', { project, hostname })

/** The contract's list for a late certificate, each point with what is found at this moment. */
export const troubleshoot = (project: string, hostname: string) =>
  platform.call('POST /projects/{project}/domains/{hostname}/troubleshoot', { project, hostname })

/** Whether the DNS of a domain that was removed still leads here. */
export const findDangling = (project: string, hostname: string) =>
  platform.call('GET /projects/{project}/domains/{hostname}/dangling', { project, hostname })

/** Asked once for a page: the service remembers it for a while too. */
/** What a domain is offered depends on how far it is. */
export const connectQuery = (project: string, hostname: string, purpose: 'site' | 'prepare') =>
  queryOptions({
    queryKey: [...domainsKey(project), hostname, 'connect', purpose],
    queryFn: ({ signal }) =>
      platform.call('GET /projects/{project}/domains/{hostname}/connect', { project, hostname, signal }),
    staleTime: 60_000,
    retry: false,
  })

export const beginConnect = (project: string, hostname: string) =>
  platform.call('POST /projects/{project}/domains/{hostname}/connect', { project, hostname })

export const finishConnect = (
  project: string,
  hostname: string,
  body: { state: string; error?: string; description?: string },
) => platform.call('POST /projects/{project}/domains/{hostname}/connect/return', { project, hostname, body })

/** Read again with the domain, because what is stored changes with every check, and when the old host may go. */
export const switchQuery = (project: string, { hostname, checkedAt, state }: Domain) =>
  queryOptions({
    queryKey: [...domainsKey(project), hostname, 'switch', checkedAt, state],
    queryFn: ({ signal }) =>
      platform.call('GET /projects/{project}/domains/{hostname}/switch', { project, hostname, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => {
      const leftMs = Date.parse(data?.move?.oldHostUntil ?? '') - Date.now()
      return data?.move?.phase === 'moving' && leftMs < MOVED_SOON_MS ? Math.max(FAST_MS, leftMs) : false
    },
  })

export const compareSites = (project: string, hostname: string) =>
  platform.call('POST /projects/{project}/domains/{hostname}/switch/comparison', { project, hostname })

export const askResolvers = (project: string, hostname: string) =>
  platform.call('POST /projects/{project}/domains/{hostname}/switch/answers', { project, hostname })
