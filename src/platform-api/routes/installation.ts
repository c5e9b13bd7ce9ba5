import packageJson from '../../../package.json' with { type: 'json' }
import type { Config } from '../../config.ts'
import type { Environment } from '../../platform/http/operation.ts'
import { ok, route } from '../route.ts'
import { publicPorts, visitOrigin } from '../public-addresses.ts'

export interface InstallationRouteNeeds {
  installation: Pick<Config, 'baseUrl' | 'stagingUrl' | 'platformHost' | 'httpsPort' | 'sandbox' | 'acme' | 'dnsZone'>
}

export interface InstallationView {
  version: string
  /** The two base addresses of the interface. */
  addresses: Record<Environment, string>
  platformHost: string
  /** Where visitors reach sites over HTTPS. */
  httpsPort: number
  /** Where a browser visits a live domain; `{hostname}` stands for its name. */
  visit: string
  /** Whether the embedded registrar plays the DNS. */
  sandbox: boolean
  /** The zone in which domains are proved before they lead here; null where none is, so that none can be prepared. */
  challengeZone: string | null
  /** Who issues the certificates of custom domains. */
  issuer: 'internal' | 'acme'
}

/** What the dashboard's pages need to know of the service that they belong to. */
export function installationRoutes({ installation }: InstallationRouteNeeds) {
  return [
    route({
      id: 'getInstallation',
      summary: 'Describe the installation',
      method: 'GET',
      path: '/installation',
      role: 'session',
      handle: async () => ok(viewOf(installation)),
    }),
  ]
}

function viewOf(installation: InstallationRouteNeeds['installation']): InstallationView {
  const { baseUrl, stagingUrl, platformHost, sandbox, acme, dnsZone } = installation
  const { scheme, host, port } = visitOrigin(installation, '{hostname}')
  return {
    version: packageJson.version,
    addresses: { production: baseUrl.href, staging: stagingUrl.href },
    platformHost,
    httpsPort: publicPorts(installation).https,
    visit: `${scheme}://${host}${port === (scheme === 'https' ? 443 : 80) ? '' : `:${port}`}/`,
    sandbox,
    challengeZone: dnsZone?.zone ?? null,
    issuer: acme ? 'acme' : 'internal',
  }
}
