import { canonicalAddress } from '../../../platform/dns/address.ts'
import { iso } from '../../../platform/iso-date.ts'
import { enterOrRefuse, refuseUsedUp } from '../../../platform/share.ts'
import type { Diagnosis } from '../diagnosis/diagnose.ts'
import { type DomainActor, requireDomain, requireEditor, showDomain } from '../domains.ts'
import type { TroubleshootNeeds } from '../live/troubleshoot.ts'
import { visitName } from '../preparation/challenge-zone.ts'
import { findTarget } from '../queries.ts'
import { type Advice, adviseSwitch } from './advice.ts'
import { findMove, type WatchMove } from './move-writes.ts'
import { type MoveView, moveView } from './move.ts'
import { fetchFacts, type SiteFacts } from './site-facts.ts'
import { TRIAL_LIFE_MS, trialLabel } from './trial-link.ts'

export interface SwitchNeeds extends TroubleshootNeeds {
  watchMove: WatchMove
  trial: {
    secret: string
    /** The address of a label below the platform host, as a browser opens it. */
    urlOf(label: string): string
  }
}

export interface SwitchView {
  /** Shows the site as this domain will serve it, to whoever has the link. */
  preview: { url: string; expiresAt: string }
  /** The same under the domain's own name, once it has a certificate here and is served. */
  curl: string | null
  move: MoveView | null
}

/** What helps before, while and after the DNS of a domain changes; asks nobody outside. */
export async function showSwitch(needs: SwitchNeeds, actor: DomainActor, hostname: string): Promise<SwitchView> {
  const row = await requireDomain(needs, actor, hostname)
  const now = needs.clock.now()
  const endsAt = now + TRIAL_LIFE_MS
  const { certificate } = await showDomain(needs, actor, row.hostname)
  const move = await findMove(needs.storage.read, row.id)
  return {
    preview: { url: needs.trial.urlOf(trialLabel(needs.trial.secret, row.id, endsAt)), expiresAt: iso(endsAt) },
    curl: certificate === null ? null : await curlLine(needs, row),
    move: move ? moveView(move, now) : null,
  }
}

async function curlLine(needs: SwitchNeeds, row: { project_id: number; hostname: string }): Promise<string | null> {
  const { v4, v6 } = await needs.addressesOf(await findTarget(needs.storage.read, row.project_id, needs.platformHost))
  const [address] = [...v4, ...v6.map((each) => `[${each}]`)]
  if (address === undefined) return null
  const { https } = needs.served.own.ports
  const port = https === 443 ? '' : `:${https}`
  const name = visitName(row.hostname)
  return `curl --resolve ${name}:${https}:${address} https://${name}${port}/`
}

export interface SwitchComparison {
  hostname: string
  at: string
  /** What is served today; null where DNS leads nowhere. */
  there: (SiteFacts & { records: string[]; ttlSeconds: number }) | null
  here: SiteFacts & { certificateHere: { issuer: string; notAfter: string } | null; hstsSeconds: number | null }
  caa: string
  advice: Advice[]
  move: MoveView | null
}

/** Looks at what is served today and at what would be, and says what to do first. */
export async function compareSites(
  needs: SwitchNeeds,
  actor: DomainActor,
  hostname: string,
): Promise<SwitchComparison> {
  requireEditor(actor, 'Comparing sites')
  const { clock, shares, served } = needs
  const row = await requireDomain(needs, actor, hostname)
  refuseUsedUp(shares.questions, row.project_id, 'DNS questions')
  using _ = enterOrRefuse(shares.live, row.project_id, 'Live checks')
  const target = await findTarget(needs.storage.read, row.project_id, needs.platformHost)
  const platform = await needs.addressesOf(target)
  const own = { addresses: [...served.own.addresses, ...platform.v4, ...platform.v6], ports: served.own.ports }
  const label = trialLabel(needs.trial.secret, row.id, clock.now() + TRIAL_LIFE_MS)
  const [{ diagnosis }, there, here, domain] = await Promise.all([
    needs.check({ projectId: row.project_id, hostname: row.hostname, target }),
    lookThere({ ...served, own }, visitName(row.hostname)),
    fetchFacts({ ...served, own }, plainAddress(`${label}.${needs.platformHost}`, own.ports.http)),
    showDomain(needs, actor, row.hostname),
  ])
  await needs.watchMove(row, diagnosis.nameservers)
  const old = oldRecords(diagnosis)
  const certificate = domain.certificate && { issuer: domain.certificate.issuer, notAfter: domain.certificate.notAfter }
  const caaFound = diagnosis.problems.find(({ affects }) => affects === 'certificate')
  const sides = {
    there,
    here,
    oldTtlSeconds: old.records.length > 0 ? old.ttlSeconds : null,
    certificateHere: certificate,
    canPrepare: needs.challengeZone !== undefined,
    caaTrouble: caaFound ? `${caaFound.title}. ${caaFound.fix}` : null,
  }
  const move = await findMove(needs.storage.read, row.id)
  return {
    hostname: row.hostname,
    at: iso(clock.now()),
    there: there && { ...there, ...old },
    here: { ...named(here, row), certificateHere: certificate, hstsSeconds: row.hsts_seconds },
    caa: caaFound?.title ?? 'No CAA record forbids our certificate authority.',
    advice: adviseSwitch(sides, clock.now()),
    move: move ? moveView(move, clock.now()) : null,
  }
}

/** Under the names that visitors will see, instead of those of the links to try them. */
function named(facts: SiteFacts, row: { hostname: string; redirect_to: string | null }): SiteFacts {
  const isRedirect = facts.redirects.length > 0
  const own = visitName(row.hostname)
  const under = (hostname: string, url: string) => `https://${hostname}${URL.parse(url)?.pathname ?? '/'}`
  return {
    ...facts,
    url: under(isRedirect ? (row.redirect_to ?? own) : own, facts.url),
    redirects: facts.redirects.map(({ url, status }) => ({ url: under(own, url), status })),
  }
}

/** Port 80 in the world; our own where the name leads to ourselves, as between two projects. */
async function lookThere(served: SwitchNeeds['served'], hostname: string): Promise<SiteFacts | null> {
  const { v4, v6 } = await served.addressesOf(hostname)
  const addresses = [...v4, ...v6].map(canonicalAddress)
  if (addresses.length === 0) return null
  const isOurs = addresses.some((address) => served.own.addresses.map(canonicalAddress).includes(address))
  return fetchFacts(served, plainAddress(hostname, isOurs ? served.own.ports.http : 80))
}

const plainAddress = (host: string, port: number) => `http://${host}${port === 80 ? '' : `:${port}`}/`

function oldRecords({ nameservers }: Diagnosis): { records: string[]; ttlSeconds: number } {
  const rows = nameservers.filter(({ status, isHere }) => status === 'answered' && !isHere)
  const records = [...new Set(rows.flatMap(({ answers }) => answers))].filter((answer) =>
    /^(?:A|AAAA|CNAME) /.test(answer),
  )
  return { records, ttlSeconds: Math.max(0, ...rows.map(({ cacheSeconds }) => cacheSeconds)) }
}
