import type { IncomingMessage, ServerResponse } from 'node:http'
import { canonicalHostname } from '../platform/hostname.ts'
import { answerChallenge, type ChallengeLookup, isChallenge } from './challenge.ts'
import type { RequestHandler } from './http-listener.ts'
import { refuseMalformed } from './malformed.ts'
import { noDeployPage, sendPage, suspendedPage, unavailablePage, unknownHostPage } from './pages.ts'
import type { PlatformSites } from './platform-sites.ts'
import { hstsValue, locationOn, type Origin, type RedirectStatus, sendRedirect } from './redirect.ts'
import type { SiteHandler } from './site/handler.ts'
import type { Site } from './site/site.ts'

/** What an attached domain does. `secured` means that it has a certificate: visitors are then led to HTTPS. */
export type DomainDestination =
  | { kind: 'site'; projectId: number; secured: boolean; hstsSeconds: number | undefined }
  | { kind: 'redirect'; to: { hostname: string; secured: boolean }; status: RedirectStatus }

/** What a domain will do once DNS leads here, for whoever has the link to try it. */
type TrialDestination = { hostname: string } & (
  | { kind: 'site'; projectId: number }
  | { kind: 'redirect'; status: RedirectStatus; toHost: string }
)

type Soon<Value> = Value | Promise<Value>

/** What the edge asks about custom domains. Answers at once what it knows. */
export interface DomainSource {
  destinationOf(hostname: string): Soon<DomainDestination | undefined>
  /** The live primary domain of a project: its platform subdomain then leads there. */
  livePrimaryOf(projectId: number): Soon<string | undefined>
  /** By the label of a link to try a domain, below the platform host. */
  trialOf(label: string): Promise<TrialDestination | undefined>
}

/** After each answer of a project's site, by the slug or the hostname that was visited. */
export type Visited = (projectId: number, host: string, status: number, durationMs: number) => void

interface EdgeNeeds {
  scheme: 'http' | 'https'
  /** Where the public reaches HTTPS and HTTP. */
  ports: { http: number; https: number }
  /** The production and the staging address: interface, dashboard, reference. */
  own(request: IncomingMessage, response: ServerResponse, environment: 'production' | 'staging'): void
  sites: PlatformSites
  serveSite: SiteHandler
  domains: DomainSource
  visited: Visited
  /** The operator has stopped it: visitors see a page that says so, and nothing of the site. */
  isSuspended(projectId: number): boolean
  challengeAnswer: ChallengeLookup
  /** Local mode: where a browser is shown a domain that only the sandbox knows. */
  gatewayTo?: ((hostname: string) => Origin) | undefined
  onError(error: unknown): void
}

/** Host → challenge, interface, site or redirect. What is known in memory is answered in the same turn. */
export function edgeRequests(needs: EdgeNeeds): RequestHandler {
  const { scheme, ports, sites, domains, gatewayTo } = needs

  return (request, response, destination) => {
    if (isChallenge(request)) {
      // Before everything else: an authority follows no redirect to a host that has no certificate yet.
      const host = canonicalHostname(request.headers.host ?? '') ?? ''
      return void answerChallenge(request, response, host, needs.challengeAnswer)
    }
    switch (destination.kind) {
      case 'production':
      case 'staging':
        return needs.own(request, response, destination.kind)
      case 'insecure':
        return leadToHttps(request, response, destination.address)
      case 'project':
        return soon(request, response, sites.projectAt(destination.slug), (projectId) => {
          if (projectId === undefined) return serveUnlisted(request, response, destination.slug)
          // A browser could not follow to a name of the sandbox.
          if (gatewayTo) return serveProject(request, response, projectId, destination.slug)
          soon(request, response, domains.livePrimaryOf(projectId), (primary) => {
            if (primary !== undefined) return redirect(request, response, 308, { hostname: primary, secured: true })
            serveProject(request, response, projectId, destination.slug)
          })
        })
      case 'domain':
        return soon(request, response, domains.destinationOf(destination.hostname), (found) => {
          serveDomain(request, response, destination.hostname, found)
        })
      case 'gateway':
        return soon(request, response, domains.destinationOf(destination.hostname), (found) => {
          serveGateway(request, response, destination.hostname, found)
        })
      case 'unknown':
        return sendPage(request, response, unknownHostPage)
    }
  }

  function serveDomain(
    request: IncomingMessage,
    response: ServerResponse,
    hostname: string,
    found: DomainDestination | undefined,
  ): void {
    if (found === undefined) return sendPage(request, response, unknownHostPage)
    if (found.kind === 'redirect') return redirect(request, response, found.status, found.to)
    const { secured, hstsSeconds, projectId } = found
    if (secured && scheme === 'http') return redirect(request, response, 308, { hostname, secured })
    if (scheme === 'https' && hstsSeconds !== undefined) {
      response.setHeader('Strict-Transport-Security', hstsValue({ maxAgeSeconds: hstsSeconds }))
    }
    serveProject(request, response, projectId, hostname)
  }

  /** What the domain itself would answer over HTTPS; where it redirects to, a browser finds at its gateway too. */
  function serveGateway(
    request: IncomingMessage,
    response: ServerResponse,
    hostname: string,
    found: DomainDestination | undefined,
  ): void {
    if (found === undefined || gatewayTo === undefined) return sendPage(request, response, unknownHostPage)
    const target = request.url ?? '/'
    if (found.kind === 'redirect') {
      return sendRedirect(response, found.status, locationOn(gatewayTo(found.to.hostname), target))
    }
    const [shown, port] = found.secured ? (['https', ports.https] as const) : (['http', ports.http] as const)
    response.setHeader('X-Petstore-Shown-For', locationOn({ scheme: shown, host: hostname, port }, target))
    serveProject(request, response, found.projectId, hostname)
  }

  /** What only those find who were given its name: one deploy, or a domain before DNS leads here. */
  function serveUnlisted(request: IncomingMessage, response: ServerResponse, label: string): void {
    if (label.startsWith('try-')) {
      return soon(request, response, domains.trialOf(label), (found) => serveTrial(request, response, found))
    }
    soon(request, response, sites.previewAt(label), (found) => {
      if (found === undefined) return sendPage(request, response, unknownHostPage)
      response.setHeader('X-Robots-Tag', 'noindex')
      showSite(request, response, found.projectId, found.site)
    })
  }

  function serveTrial(request: IncomingMessage, response: ServerResponse, found: TrialDestination | undefined): void {
    if (found === undefined) return sendPage(request, response, unknownHostPage)
    const target = request.url ?? '/'
    response.setHeader('X-Robots-Tag', 'noindex')
    response.setHeader('X-Petstore-Shown-For', locationOn({ scheme: 'https', host: found.hostname }, target))
    if (found.kind === 'redirect') {
      const origin = { scheme, host: found.toHost, port: ports[scheme] }
      return sendRedirect(response, found.status, locationOn(origin, target))
    }
    // Nobody visits the domain by this, so that it is not counted as a visit.
    soon(request, response, sites.siteOf(found.projectId), (site) => {
      showSite(request, response, found.projectId, site)
    })
  }

  function serveProject(request: IncomingMessage, response: ServerResponse, projectId: number, host: string): void {
    const startedAt = performance.now()
    const tell = () => needs.visited(projectId, host, response.statusCode, performance.now() - startedAt)
    soon(request, response, sites.siteOf(projectId), (site) => {
      showSite(request, response, projectId, site)
      // Most files are in memory and have been sent by now; waiting for an event would cost each of them 2 µs.
      if (response.headersSent) tell()
      else response.on('close', tell)
    })
  }

  /** By whichever name somebody came. */
  function showSite(
    request: IncomingMessage,
    response: ServerResponse,
    projectId: number,
    site: Site | undefined,
  ): void {
    if (needs.isSuspended(projectId)) sendPage(request, response, suspendedPage)
    else if (site === undefined) sendPage(request, response, noDeployPage)
    else needs.serveSite(request, response, site)
  }

  function redirect(
    request: IncomingMessage,
    response: ServerResponse,
    status: RedirectStatus,
    { hostname, secured }: { hostname: string; secured: boolean },
  ): void {
    const [to, port] = secured ? (['https', ports.https] as const) : (['http', ports.http] as const)
    sendRedirect(response, status, locationOn({ scheme: to, host: hostname, port }, request.url ?? '/'))
  }

  /** Goes on at once with what is there, and later with what has to be looked up. */
  function soon<Value>(
    request: IncomingMessage,
    response: ServerResponse,
    value: Soon<Value>,
    goOn: (value: Value) => void,
  ): void {
    if (!(value instanceof Promise)) return goOn(value)
    value.then(goOn).catch((error: unknown) => {
      needs.onError(error)
      if (response.headersSent) response.destroy()
      else sendPage(request, response, unavailablePage)
    })
  }
}

/** People are led on. A program has sent its key in the clear already, and would go on doing so unnoticed. */
function leadToHttps(request: IncomingMessage, response: ServerResponse, { hostname, port, pathname }: URL): void {
  const target = request.url ?? '/'
  const origin = { scheme: 'https', host: hostname, port: Number(port || 443) } as const
  if (target !== pathname && !target.startsWith(`${pathname}/`)) {
    return sendRedirect(response, 308, locationOn(origin, target))
  }
  const sentence = `This interface is served over HTTPS only: use ${locationOn(origin, pathname)}.`
  refuseMalformed(response, ['invalid_request', sentence])
}
