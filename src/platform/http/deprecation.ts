import type { Deprecation, Environment } from './operation.ts'

interface NoticesNeeds {
  baseUrls: Record<Environment, string>
  documentationUrl: string
}

/**
 * RFC 9745 and RFC 8594, from the one field that the document and the 410 read too. Asked with the base address as it
 * was called; where that is the configured one, it is always the same list.
 */
export function deprecationNotices(
  { since, sunset, successor }: Deprecation,
  { baseUrls, documentationUrl }: NoticesNeeds,
): (environment: Environment, calledUrl: string) => readonly string[] {
  const notices = (baseUrl: string) => [
    'Deprecation',
    `@${Date.parse(since) / 1000}`,
    'Sunset',
    new Date(sunset).toUTCString(),
    'Link',
    `<${asSecureAs(baseUrl, documentationUrl)}/versioning>; rel="deprecation"; type="text/html", ` +
      `<${baseUrl}${successor}>; rel="successor-version"`,
  ]
  const usual = { production: notices(baseUrls.production), staging: notices(baseUrls.staging) }
  return (environment, calledUrl) => (calledUrl === baseUrls[environment] ? usual[environment] : notices(calledUrl))
}

/** Who came over TLS is led on over TLS, which has one port for every name. */
function asSecureAs(calledUrl: string, address: string): string {
  const called = URL.parse(calledUrl)
  const url = new URL(address)
  if (called?.protocol !== 'https:' || url.protocol === 'https:') return address
  url.protocol = 'https:'
  url.port = called.port
  return url.href
}
