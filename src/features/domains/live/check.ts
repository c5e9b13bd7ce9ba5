import { canonicalAddress } from '../../../platform/dns/address.ts'
import { notFound } from '../../../platform/errors.ts'
import { iso } from '../../../platform/iso-date.ts'
import { enterOrRefuse } from '../../../platform/share.ts'
import type { DomainDetailsNeeds } from '../details.ts'
import { type DomainActor, requireDomain, showDomain } from '../domains.ts'
import { findServing, findTarget } from '../queries.ts'
import type { DomainShares } from '../observation/shares.ts'
import type { DomainView } from '../view.ts'
import { type FetchNeeds, fetchHops, type Hop, locationOf } from './fetch.ts'

export interface LiveCheckNeeds extends DomainDetailsNeeds {
  shares: DomainShares
  served: FetchNeeds
}

type ServedFinding =
  | 'not_verified'
  | 'not_switched'
  | 'unreachable'
  | 'certificate_missing'
  | 'certificate_differs'
  | 'certificate_distrusted'
  | 'redirect_differs'
  | 'redirect_loop'
  | 'not_secured'
  | 'error_status'

export interface LiveCheck {
  hostname: string
  at: string
  /** What a visitor with empty caches meets, connection by connection. */
  hops: Hop[]
  /** What is stored, to hold the hops against. */
  expected: {
    certificate: { serial: string; fingerprint: string; issuer: string; notAfter: string } | null
    leadsTo: string
    status: number | null
  }
  agrees: boolean
  findings: { code: ServedFinding; message: string; fix: string }[]
}

/** Fetches what is really served for a domain and compares it with what is stored. */
export async function checkServed(needs: LiveCheckNeeds, actor: DomainActor, hostname: string): Promise<LiveCheck> {
  const row = await requireDomain(needs, actor, hostname, { removedToo: true })
  if (row.removed_at !== null) throw notFound(`${row.hostname} has been removed: nothing is served for it here.`)
  using _ = enterOrRefuse(needs.shares.live, row.project_id, 'Live checks')
  const domain = await showDomain(needs, actor, row.hostname)
  const { served } = needs
  const { ports } = served.own
  const platform = await needs.addressesOf(await findTarget(needs.storage.read, row.project_id, needs.platformHost))
  const addresses = [...served.own.addresses, ...platform.v4, ...platform.v6]
  const port = ports.http === 80 ? '' : `:${ports.http}`
  const hops = await fetchHops({ ...served, own: { addresses, ports } }, `http://${domain.visitName}${port}/`)
  const serving = await findServing(needs.storage.read, domain.visitName)
  const isHere = serving?.id === row.id && hops.some(({ address }) => isOneOf(addresses, address))
  const findings = compare(domain, hops, isHere)
  return {
    hostname: row.hostname,
    at: iso(needs.clock.now()),
    hops,
    expected: {
      certificate: domain.certificate && {
        serial: domain.certificate.serial,
        fingerprint: domain.certificate.fingerprint,
        issuer: domain.certificate.issuer,
        notAfter: domain.certificate.notAfter,
      },
      leadsTo: domain.redirect?.to ?? row.hostname,
      status: domain.redirect?.status ?? null,
    },
    agrees: findings.length === 0,
    findings,
  }
}

const isOneOf = (addresses: readonly string[], address: string | null) =>
  address !== null && addresses.map(canonicalAddress).includes(canonicalAddress(address))

/** Pure: what does not agree, what matters first. `isHere`: the hops came to where it is served for this project. */
export function compare(domain: DomainView, hops: readonly Hop[], isHere: boolean): LiveCheck['findings'] {
  if (domain.verifiedAt === null && domain.provedAt === null) return [unserved(domain)]
  if (domain.verifiedAt === null && !isHere) return [notSwitched(domain)]
  return [...judgeCertificate(domain, hops), ...judgeRedirects(domain, hops), ...judgeEnd(hops)]
}

function unserved({ hostname, preparedAt }: DomainView): LiveCheck['findings'][number] {
  const isPreparing = preparedAt !== null
  return {
    code: 'not_verified',
    message: `${hostname} is not ${isPreparing ? 'prepared' : 'verified'}, so nothing is served for it.`,
    fix: isPreparing
      ? 'Create both records that are shown, and leave its own record as it is.'
      : 'Create the DNS record that is shown, then choose Verify.',
  }
}

function notSwitched({ hostname, certificate }: DomainView): LiveCheck['findings'][number] {
  return {
    code: 'not_switched',
    message: `Visitors of ${hostname} still go elsewhere: that is so until its DNS record changes.`,
    fix: certificate
      ? 'Its certificate is here: change the record when you like.'
      : 'Leave the record as it is until its certificate is here.',
  }
}

function judgeCertificate(domain: DomainView, hops: readonly Hop[]): LiveCheck['findings'] {
  const { visitName: hostname, certificate } = domain
  if (certificate === null) {
    const message = domain.issuance?.problem?.message ?? 'It is being issued, usually within a couple of minutes.'
    const fix = 'Until then browsers warn about a private connection: wait a few minutes and retry in a fresh session.'
    return [{ code: 'certificate_missing', message: `${domain.hostname} has no certificate yet. ${message}`, fix }]
  }
  const shown = hops.find((hop) => hop.certificate && new URL(hop.url).hostname === hostname)?.certificate
  if (!shown) return []
  if (shown.fingerprint !== certificate.fingerprint) {
    const seen = `serial ${shown.serial} of ${shown.issuer}, good until ${shown.notAfter}`
    return [
      {
        code: 'certificate_differs',
        message: `${hostname} is answered with another certificate (${seen}) than ours (serial ${certificate.serial}).`,
        fix:
          'If it was renewed a moment ago, check again. Otherwise something stands between visitors and this ' +
          'service, such as a proxy of your DNS provider: let the name lead here directly.',
      },
    ]
  }
  if (shown.distrust === null) return []
  const message = `Browsers do not trust the certificate of ${hostname}: ${shown.distrust}.`
  return [{ code: 'certificate_distrusted', message, fix: shown.distrustFix ?? '' }]
}

function judgeRedirects(domain: DomainView, hops: readonly Hop[]): LiveCheck['findings'] {
  const { visitName: hostname, redirect, certificate } = domain
  const own = hops.filter((hop) => new URL(hop.url).hostname === hostname)
  const last = hops.at(-1)
  const lastTarget = last && locationOf(last)
  if (lastTarget !== undefined && hops.some((hop) => hop.url === lastTarget)) {
    const path = hops.map(({ url }) => url).join(' → ')
    return [
      {
        code: 'redirect_loop',
        message: `Visitors go in a circle: ${path} → ${lastTarget}.`,
        fix: 'The redirects stored here have no circle: look for one at a proxy or the DNS provider.',
      },
    ]
  }
  if (redirect) {
    const leaving = own.find((hop) => {
      const target = locationOf(hop)
      return target !== undefined && URL.parse(target)?.hostname !== hostname
    })
    const to = leaving && URL.parse(locationOf(leaving) as string)?.hostname
    if (leaving && to === redirect.to && leaving.status === redirect.status) return []
    if (!leaving && own.some(({ error }) => error !== null)) return []
    const seen = leaving ? `${leaving.status} to ${to}` : `no redirect (status ${own.at(-1)?.status})`
    return [
      {
        code: 'redirect_differs',
        message: `${hostname} should redirect with ${redirect.status} to ${redirect.to}, but answers ${seen}.`,
        fix:
          `A redirect counts once ${redirect.to} is verified. Browsers may remember older redirects: ` +
          'these headers were fetched without a cache.',
      },
    ]
  }
  if (certificate !== null && !own.some(({ url, status }) => url.startsWith('https:') && status !== null)) {
    const plain = own.find(({ url, status }) => url.startsWith('http:') && status !== null && status < 300)
    if (plain) {
      const message = `${plain.url} is served without leading to HTTPS.`
      return [{ code: 'not_secured', message, fix: 'Something before this service answers in its place.' }]
    }
  }
  return []
}

function judgeEnd(hops: readonly Hop[]): LiveCheck['findings'] {
  const last = hops.at(-1)
  if (!last) return []
  if (last.error !== null) {
    return [{ code: 'unreachable', message: last.error, fix: 'Check the DNS record, then try again.' }]
  }
  if (last.status === null || last.status < 400) return []
  const fix = last.status === 404 ? 'Deploy a site that has a page at this path.' : 'Look at the answer’s headers.'
  return [{ code: 'error_status', message: `${last.url} answers with status ${last.status}.`, fix }]
}
