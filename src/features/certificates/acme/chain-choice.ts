import { splitChain } from '../authority/split-chain.ts'
import type { AcmeResponse } from './transport.ts'

/** Authorities offer two or three; each costs a request. */
const ALTERNATES_MAX = 5

/**
 * Of the chains that an authority offers for one certificate (RFC 8555, 7.4.2), the one that leads to the root with
 * this common name, else the authority's own choice.
 */
export async function chooseChain(
  first: AcmeResponse,
  rootName: string | undefined,
  download: (url: string) => Promise<AcmeResponse>,
): Promise<string> {
  if (rootName === undefined || leadsTo(first.body, rootName)) return first.body
  for (const url of alternatesIn(first).slice(0, ALTERNATES_MAX)) {
    const { body } = await download(url)
    if (leadsTo(body, rootName)) return body
  }
  return first.body
}

/** By the name that the last certificate gives its issuer: the root itself need not be sent. */
function leadsTo(chainPem: string, rootName: string): boolean {
  try {
    const last = splitChain(chainPem).at(-1)
    return last !== undefined && last.issuer.split('\n').includes(`CN=${rootName}`)
  } catch {
    // Whoever stores the chain says what is wrong with it.
    return false
  }
}

function alternatesIn({ headers, url }: AcmeResponse): string[] {
  const links = [headers.link ?? []].flat().join(', ')
  const found = links.matchAll(/<([^<>]*)>\s*;\s*rel="?alternate"?/gi)
  return [...found].flatMap(([, target = '']) => URL.parse(target, url)?.href ?? [])
}
