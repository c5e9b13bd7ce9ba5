import type { Deprecation, Environment } from './operation.ts'

/** RFC 9745 and RFC 8594, from the one field that the document and the 410 read too. */
export function deprecationNotices(
  { since, sunset, successor }: Deprecation,
  { baseUrls, documentationUrl }: { baseUrls: Record<Environment, string>; documentationUrl: string },
): Record<Environment, readonly string[]> {
  const notices = (baseUrl: string) => [
    'Deprecation',
    `@${Date.parse(since) / 1000}`,
    'Sunset',
    new Date(sunset).toUTCString(),
    'Link',
    `<${documentationUrl}/versioning>; rel="deprecation"; type="text/html", ` +
      `<${baseUrl}${successor}>; rel="successor-version"`,
  ]
  return { production: notices(baseUrls.production), staging: notices(baseUrls.staging) }
}
