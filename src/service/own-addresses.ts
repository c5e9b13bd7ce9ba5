import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../config.ts'
import { hstsValue } from '../edge/redirect.ts'
import type { InstallationCa } from '../features/certificates/authority/installation-ca.ts'
import { buildFolders, builtDashboard } from '../pages/dashboard-build.ts'
import { type DashboardPages, dashboardPages } from '../pages/dashboard.ts'
import { type DocsNeeds, docsPages } from '../pages/docs.ts'
import { revocationList } from '../pages/revocation-list.ts'
import { securityTxt } from '../pages/security-txt.ts'
import type { Clock } from '../platform/clock.ts'
import type { HttpApp } from '../platform/http/app.ts'
import { isEncrypted } from '../platform/http/client.ts'
import type { Environment } from '../platform/http/operation.ts'
import { headOf } from '../platform/http/wire/form.ts'
import type { Log } from '../platform/log.ts'

interface OwnAddressesNeeds {
  config: Pick<Config, 'baseUrl' | 'stagingUrl' | 'securityContact' | 'dataDirectory'>
  clock: Clock
  interfaces: HttpApp
  ca: Pick<InstallationCa, 'revocationList'>
  documents: DocsNeeds['documents']
  log: Log
}

export interface OwnAddresses {
  handle(request: IncomingMessage, response: ServerResponse, environment: Environment): void
  readonly dashboard: Pick<DashboardPages, 'reload' | 'buildFailed'>
}

/** An address that is https stays so: a year is what browsers' preload lists ask for at least. */
const HSTS = ['Strict-Transport-Security', hstsValue({ maxAgeSeconds: 31_536_000 })] as const
const HTTPS_HEAD = headOf(HSTS)

/** What is served at the production and the staging address themselves: the interfaces, and pages beside them. */
export function ownAddresses(needs: OwnAddressesNeeds): OwnAddresses {
  const { config, clock, interfaces, ca, documents, log } = needs
  const told = (what: string) => (error: unknown) => log.error({ err: error }, what)
  const apiOrigins = [config.baseUrl.origin, config.stagingUrl.origin]
  const docs = docsPages({ documents, apiOrigins, onError: told('the reference could not be read') })
  const revocations = revocationList({
    list: ca.revocationList,
    onError: told('the revocation list could not be made'),
  })
  const people = dashboardPages({
    directory: () => builtDashboard(buildFolders(config.dataDirectory)),
    onError: told('the dashboard could not be read'),
  })
  const pages = [docs, revocations, securityTxt({ config, clock }), people]
  const isHttps = {
    production: config.baseUrl.protocol === 'https:',
    staging: config.stagingUrl.protocol === 'https:',
  }

  return {
    handle(request, response, environment) {
      // The TLS port also serves addresses that are plain, as in local mode: those must stay reachable so.
      const isHttpsOnly = isHttps[environment] && isEncrypted(request)
      // The interfaces first: nothing is to be looked at twice on its way. They add headers for a tenth of the price.
      if (environment !== 'production' || interfaces.has(request.url as string)) {
        return interfaces.handle(request, response, environment, isHttpsOnly ? HTTPS_HEAD : undefined)
      }
      if (isHttpsOnly) response.setHeader(...HSTS)
      if (!pages.some((page) => page.handle(request, response))) interfaces.handle(request, response, environment)
    },
    dashboard: people,
  }
}
