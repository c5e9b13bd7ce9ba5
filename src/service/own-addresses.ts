import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../config.ts'
import type { InstallationCa } from '../features/certificates/authority/installation-ca.ts'
import { builtDashboard } from '../pages/dashboard-build.ts'
import { type DashboardPages, dashboardPages } from '../pages/dashboard.ts'
import { docsPages } from '../pages/docs.ts'
import { revocationList } from '../pages/revocation-list.ts'
import type { HttpApp } from '../platform/http/app.ts'
import type { Environment } from '../platform/http/operation.ts'
import type { Log } from '../platform/log.ts'

interface OwnAddressesNeeds {
  config: Pick<Config, 'baseUrl' | 'stagingUrl'>
  interfaces: HttpApp
  ca: Pick<InstallationCa, 'revocationList'>
  openapiDocument: string
  log: Log
}

export interface OwnAddresses {
  handle(request: IncomingMessage, response: ServerResponse, environment: Environment): void
  readonly dashboard: Pick<DashboardPages, 'reload' | 'buildFailed'>
}

/** What is served at the production and the staging address themselves: the interfaces, and pages beside them. */
export function ownAddresses(needs: OwnAddressesNeeds): OwnAddresses {
  const { config, interfaces, ca, openapiDocument, log } = needs
  const told = (what: string) => (error: unknown) => log.error({ err: error }, what)
  const apiOrigins = [config.baseUrl.origin, config.stagingUrl.origin]
  const docs = docsPages({ openapiDocument, apiOrigins, onError: told('the reference could not be read') })
  const revocations = revocationList({
    list: ca.revocationList,
    onError: told('the revocation list could not be made'),
  })
  const people = dashboardPages({ directory: builtDashboard, onError: told('the dashboard could not be read') })
  const pages = [docs, revocations, people]

  return {
    handle(request, response, environment) {
      // The interfaces first: nothing is to be looked at twice on its way.
      const isForPages = environment === 'production' && !interfaces.has(request.url as string)
      if (isForPages && pages.some((page) => page.handle(request, response))) return
      interfaces.handle(request, response, environment)
    },
    dashboard: people,
  }
}
