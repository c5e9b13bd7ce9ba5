import { type FetchedPage, type FetchNeeds, fetchPages, locationOf } from '../live/fetch.ts'
import { beginningOf } from '../../../platform/schema.ts'

/** What a visitor with empty caches meets at an address. */
export interface SiteFacts {
  /** Where the way ended. */
  url: string
  status: number | null
  title: string | null
  /** Every stop before that. */
  redirects: { url: string; status: number }[]
  /** Strict-Transport-Security as it was sent over HTTPS. */
  hsts: string | null
  certificate: { issuer: string; notAfter: string; distrust: string | null } | null
  error: string | null
}

/** The title stands near the top of a page, or nowhere that matters. */
const PAGE_BYTES_MAX = 64 * 1024
const TITLE_CHARACTERS_MAX = 120

export async function fetchFacts(needs: FetchNeeds, start: string): Promise<SiteFacts> {
  return factsOf(await fetchPages(needs, start, PAGE_BYTES_MAX))
}

export function factsOf(pages: readonly FetchedPage[]): SiteFacts {
  const last = pages.at(-1) as FetchedPage
  const secured = pages.findLast(({ certificate }) => certificate !== null)?.certificate
  const hsts = pages
    .filter(({ url }) => url.startsWith('https:'))
    .map((page) => headerOf(page, 'strict-transport-security'))
  return {
    url: last.url,
    status: last.status,
    title: titleOf(last.body),
    redirects: pages
      .filter((page) => page.status !== null && locationOf(page) !== undefined)
      .map(({ url, status }) => ({ url, status: status as number })),
    hsts: hsts.find((value) => value !== undefined) ?? null,
    certificate: secured ? { issuer: secured.issuer, notAfter: secured.notAfter, distrust: secured.distrust } : null,
    error: last.error,
  }
}

function headerOf({ headers }: FetchedPage, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
}

/** As people would read it; what a page claims to be is shown as text alone. */
function titleOf(body: string): string | null {
  const [, text = ''] = /<title[^<>]*>([^<]*)<\/title/i.exec(body) ?? []
  const title = text
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] as string)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return title === '' ? null : beginningOf(title, TITLE_CHARACTERS_MAX)
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
