import type { Environment } from './environment.ts'

const OF_AUTHORITY = ['DIRECTORY', 'EMAIL', 'CA_FILE', 'EAB_KID', 'EAB_KEY', 'LIMITS', 'PROFILE', 'PREFERRED_CHAIN']

/** Every name that means something here or to the command line, whose settings may be in the same place. */
export const SETTING_NAMES: readonly string[] = [
  ...OF_AUTHORITY.flatMap((name) => [`PETSTORE_ACME_${name}`, `PETSTORE_ACME_FALLBACK_${name}`]),
  'PETSTORE_ADMIN_PORT',
  'PETSTORE_AUDIT_DAYS',
  'PETSTORE_BASE_URL',
  'PETSTORE_DATA',
  'PETSTORE_DNS',
  'PETSTORE_DNS_LISTEN',
  'PETSTORE_DNS_NAMESERVERS',
  'PETSTORE_DNS_ZONE',
  'PETSTORE_DOMAIN_CONNECT',
  'PETSTORE_DOMAIN_CONNECT_KEY_FILE',
  'PETSTORE_HTTPS_PORT',
  'PETSTORE_HTTP_PORT',
  'PETSTORE_KEY',
  'PETSTORE_LISTEN',
  'PETSTORE_LOG_LEVEL',
  'PETSTORE_MAIL_FROM',
  'PETSTORE_MASTER_KEY',
  'PETSTORE_PLATFORM_CERT_FILE',
  'PETSTORE_PLATFORM_HOST',
  'PETSTORE_PLATFORM_KEY_FILE',
  'PETSTORE_RATE_LIMIT',
  'PETSTORE_RESOLVERS',
  'PETSTORE_SANDBOX',
  'PETSTORE_SECURITY_CONTACT',
  'PETSTORE_SERVER',
  'PETSTORE_SIGNUP',
  'PETSTORE_SMTP_TLS',
  'PETSTORE_SMTP_URL',
  'PETSTORE_STAGING_URL',
  'PETSTORE_TOKEN',
  'PETSTORE_TRUSTED_PROXIES',
  'PETSTORE_WATCH',
  'PETSTORE_WEBHOOK_NETWORKS',
  'PETSTORE_WORKERS',
]

/** What somebody has set, and nothing reads. */
export function unknownNames(environment: Environment): string[] {
  const names = Object.keys(environment)
  // Kubernetes tells every pod where services are, such as `petstore-dns`, in names that begin as ours do.
  const services = names
    .filter((name) => name.endsWith('_SERVICE_HOST'))
    .map((name) => name.replace(/SERVICE_HOST$/, ''))
  const isOfService = (name: string) =>
    services.some((of) => name.startsWith(`${of}SERVICE_`) || name.startsWith(`${of}PORT`))
  return names.filter((name) => /^PETSTORE_/i.test(name) && !SETTING_NAMES.includes(name) && !isOfService(name)).sort()
}
