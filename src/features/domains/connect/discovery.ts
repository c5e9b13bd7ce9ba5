import { type Clock, MINUTE_MS } from '../../../platform/clock.ts'
import { domainNameOf } from '../hostname-input.ts'
import { type FetchNeeds, fetchPage } from '../live/fetch.ts'
import type { Lookups } from '../observation/lookups.ts'
import type { DomainShares } from '../observation/shares.ts'

/** A DNS provider that speaks Domain Connect, as it describes itself for one zone. */
export interface ConnectProvider {
  zone: string
  name: string
  /** Where people consent; undefined when it has no synchronous flow for this zone. */
  urlSyncUX: string | undefined
  urlAPI: string
  /** Where records are edited by hand. */
  controlPanel: string | undefined
}

export type Discovery =
  | { kind: 'found'; provider: ConnectProvider }
  /** The zone names nobody. */
  | { kind: 'silent' }
  /** It names somebody who did not answer as the protocol has it. */
  | { kind: 'broken'; reason: string }

export interface DiscoveryNeeds {
  clock: Pick<Clock, 'now'>
  lookups: Pick<Lookups, 'provider'>
  shares: Pick<DomainShares, 'questions' | 'live'>
  /** The judged client of the live check: it connects to the public internet and to our own ports alone. */
  served: FetchNeeds
  /** Local mode: the origin whose pages may be linked to although they are plain. */
  plainOrigin: string | undefined
}

const SETTINGS_BYTES_MAX = 32 * 1024

/** Asks the zone who runs it, and whoever that is how it can be talked to. */
export async function discover(needs: DiscoveryNeeds, projectId: number, hostname: string): Promise<Discovery> {
  const { zone, prefix, questions } = await needs.lookups.provider(hostname, domainNameOf(hostname).registrable)
  needs.shares.questions.charge(projectId, questions)
  if (zone === null || prefix === null) return { kind: 'silent' }
  const url = PREFIX.test(prefix) ? URL.parse(`https://${prefix.replace(/\/$/, '')}/v2/${zone}/settings`) : null
  if (url === null) return broken(`The TXT record at _domainconnect.${zone} is no address.`)
  const answer = await readJson(needs.served, url)
  if (!answer.ok) return broken(answer.reason)
  const { providerName, providerDisplayName, urlSyncUX, urlAPI, urlControlPanel } = answer.value
  const name = displayName(providerDisplayName) ?? displayName(providerName)
  const api = linkOf(needs, urlAPI)
  if (name === undefined || api === undefined) return broken(`${url.host} gave settings without a name or an address.`)
  const controlPanel =
    typeof urlControlPanel === 'string' ? linkOf(needs, urlControlPanel.replaceAll('%domain%', zone), true) : undefined
  return {
    kind: 'found',
    provider: { zone, name, urlAPI: api, urlSyncUX: linkOf(needs, urlSyncUX), controlPanel },
  }
}

/** Whether the provider knows a template. */
export async function hasTemplate(
  { served }: Pick<DiscoveryNeeds, 'served'>,
  { urlAPI }: ConnectProvider,
  { providerId, serviceId }: { providerId: string; serviceId: string },
): Promise<boolean> {
  const names = [providerId, serviceId].map(encodeURIComponent)
  const url = `${urlAPI}/v2/domainTemplates/providers/${names.join('/services/')}`
  const { status, certificate } = await fetchPage(served, new URL(url), 0)
  return status !== null && status >= 200 && status < 300 && certificate?.distrust === null
}

type JsonAnswer = { ok: true; value: Record<string, unknown> } | { ok: false; reason: string }

async function readJson(served: FetchNeeds, url: URL): Promise<JsonAnswer> {
  const { status, error, certificate, body } = await fetchPage(served, url, SETTINGS_BYTES_MAX)
  if (error !== null) return { ok: false, reason: error }
  if (certificate?.distrust !== null) {
    return { ok: false, reason: `The certificate of ${url.hostname} is not trusted: ${certificate?.distrust}.` }
  }
  if (status !== 200) return { ok: false, reason: `${url.host} answered with status ${status}.` }
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null) return { ok: true, value: value as Record<string, unknown> }
  } catch {
    // Said below.
  }
  return { ok: false, reason: `${url.host} did not answer with settings.` }
}

/** An address that people or this service may be sent to: encrypted, and without what would change its meaning. */
function linkOf({ plainOrigin }: DiscoveryNeeds, text: unknown, withQuery = false): string | undefined {
  const url = typeof text === 'string' && text.length <= LINK_CHARACTERS_MAX ? URL.parse(text) : null
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return undefined
  if (url.search !== '' && !withQuery) return undefined
  if (url.protocol !== 'https:' && url.origin !== plainOrigin) return undefined
  return url.href.replace(/\/$/, '')
}

function displayName(text: unknown): string | undefined {
  return typeof text === 'string' && /^[^\p{C}]{1,80}$/u.test(text) ? text : undefined
}

const broken = (reason: string): Discovery => ({ kind: 'broken', reason })

/** Host, perhaps a port, perhaps a path: nothing that could turn the address into another one. */
const PREFIX = /^[a-z0-9.-]{1,253}(?::\d{1,5})?(?:\/[\w.~-]+)*\/?$/i
const LINK_CHARACTERS_MAX = 500

/** Providers change seldom; what failed is asked again sooner. */
const FOUND_FOR_MS = 10 * MINUTE_MS
const FAILED_FOR_MS = MINUTE_MS
const KNOWN_MAX = 1000

type Look<Value, Purpose> = (projectId: number, hostname: string, purpose: Purpose) => Promise<Value>

/** What was found out about a hostname is remembered for a while; whoever asks at once waits for the same answer. */
export function rememberOffers<Value, Purpose extends string>(
  clock: Pick<Clock, 'now'>,
  look: Look<Value, Purpose>,
  isFound: (value: Value) => boolean,
): Look<Value, Purpose> {
  const known = new Map<string, { until: number; value: Promise<Value> }>()
  return (projectId, hostname, purpose) => {
    const key = `${purpose} ${hostname}`
    const entry = known.get(key)
    if (entry && entry.until > clock.now()) return entry.value
    if (known.size >= KNOWN_MAX) known.clear()
    const value = look(projectId, hostname, purpose)
    const kept = { until: clock.now() + FAILED_FOR_MS, value }
    known.set(key, kept)
    value.then(
      (found) => {
        if (isFound(found)) kept.until = clock.now() + FOUND_FOR_MS
      },
      () => known.delete(key),
    )
    return value
  }
}
