import type { Config } from '../config.ts'
import { dashboardUrlOf } from '../platform-api/dashboard.ts'
import type { SandboxProviderRouteNeeds } from '../platform-api/routes/domains/sandbox-provider.ts'
import type { CustomDomains } from './custom-domains.ts'
import { SANDBOX_PROVIDER_PATH } from './name-service.ts'

/** The sandbox registrar as a DNS provider: it has taken up our templates, and asks DNS for our key. */
export function sandboxProvider(
  config: Pick<Config, 'sandbox' | 'baseUrl' | 'platformHost' | 'httpsPort'>,
  { verbNeeds: { connect }, textsAt }: Pick<CustomDomains, 'verbNeeds' | 'textsAt'>,
): SandboxProviderRouteNeeds['sandboxProvider'] {
  if (!config.sandbox || connect === undefined) return undefined
  return {
    templates: () => connect.templates(),
    textsAt,
    urls: {
      pages: `${dashboardUrlOf(config)}/sandbox/connect`,
      api: `https://${config.platformHost}:${config.httpsPort}${SANDBOX_PROVIDER_PATH}`,
    },
  }
}
