import { isIPv4 } from 'node:net'
import type { ServerAddress } from './address.ts'
import type { AskOptions, Exchange } from './client.ts'
import { firstUsable } from './first-usable.ts'
import type { QuestionType } from './message.ts'
import { isInZone, labelCount, parentOf, ROOT } from './name.ts'
import { type DnsRecord, recordsOf } from './record.ts'

interface Nameserver {
  name: string
  addresses: ServerAddress[]
  /** Addresses that the guard keeps us from asking: private networks must not be reachable through somebody's NS. */
  blocked: string[]
}

export interface Delegation {
  /** The zone that holds the name, as far down as anybody answered; null when not even the top could be asked. */
  zone: string | null
  nameservers: Nameserver[]
  /** Nameservers beyond the number that is asked. */
  skipped: number
  /** How the walk ended: `NXDOMAIN` when the zone says that the name does not exist, null when nobody answered. */
  rcode: string | null
}

type Located = Pick<Delegation, 'nameservers' | 'skipped'>

export type Ask = (
  server: ServerAddress,
  name: string,
  type: QuestionType,
  options?: Pick<AskOptions, 'serverName' | 'recursion' | 'checkingDisabled'>,
) => Promise<Exchange>

export interface DelegationNeeds {
  ask: Ask
  /** Where to begin: recursive resolvers, or an authoritative server that holds the top of the tree. */
  resolvers: readonly ServerAddress[]
  mayAsk: (address: string) => boolean
  portFor: (nameserver: string, address: string) => number
}

/**
 * Walks from the top level domain down the delegations to the zone that holds a name, and gathers its nameservers
 * from the parent's referral and from the zone itself. Resolvers only tell the way to the top level and the
 * addresses of nameservers: what they cached about the zone itself is never used.
 */
export async function findZone(needs: DelegationNeeds, name: string): Promise<Delegation> {
  let level = await topLevel(needs, name)
  while (level.zone !== null && level.nameservers.length > 0) {
    const { zone } = level
    const reply = await askLevel(needs, level, name, 'SOA')
    // The zone's own servers are silent or broken: who they are is known, and asking each one will say how.
    if (reply === undefined) return level
    const referral = referralIn(reply, zone, name)
    if (referral !== undefined) {
      const names = referral.map((record) => record.data)
      const { nameservers, skipped } = await locate(needs, names, reply.additional, zone)
      level = { zone: referral[0]!.name, nameservers, skipped, rcode: null }
      continue
    }
    const apex = await apexOf(needs, reply, zone, name)
    return { ...(await withOwnNameservers(needs, level, apex)), zone: apex, rcode: reply.rcode }
  }
  return level
}

async function topLevel(needs: DelegationNeeds, name: string): Promise<Delegation> {
  const top = name.slice(name.lastIndexOf('.') + 1)
  const resolvers = needs.resolvers.map((server) => () => needs.ask(server, top, 'NS', { recursion: true }))
  // One resolver that knows the top level is right, whatever another one denies; it does not exist if all say so.
  const { usable, failed } = await firstUsable(resolvers, (reply) => isSettled(reply) && leadsTo(reply, top))
  if (usable === undefined) {
    const denied = failed.filter(isSettled)
    if (denied.length > 0 && denied.length === failed.length) {
      return { zone: ROOT, nameservers: [], skipped: 0, rcode: denied[0]!.rcode }
    }
    // An authoritative server that holds zones but not their top refuses this question and knows the next one.
    const refusing = failed.filter(({ rcode }) => rcode === 'REFUSED').map(({ server }) => server)
    if (refusing.length === 0) return { zone: null, nameservers: [], skipped: 0, rcode: null }
    const addresses = refusing.map(({ address, port }) => ({ address, port }))
    return { zone: ROOT, nameservers: [{ name: ROOT, addresses, blocked: [] }], skipped: 0, rcode: null }
  }
  const names = recordsOf(usable.answers, 'NS', top).map((record) => record.data)
  // Four of thirteen root or registry servers are plenty to ask for the way.
  const { nameservers } = await locate(needs, names.slice(0, 4), usable.additional, ROOT)
  return { zone: top, nameservers, skipped: 0, rcode: null }
}

async function askLevel(
  needs: DelegationNeeds,
  { zone, nameservers }: Delegation,
  name: string,
  type: QuestionType,
): Promise<Exchange | undefined> {
  const servers = inTurns(nameservers).slice(0, ASKED_PER_LEVEL_MAX)
  const asks = servers.map(
    ({ serverName, ...server }) =>
      () =>
        needs.ask(server, name, type, { serverName }),
  )
  const isUseful = (reply: Exchange) =>
    isSettled(reply) && (reply.flags!.authoritative || referralIn(reply, zone!, name) !== undefined)
  return (await firstUsable(asks, isUseful)).usable
}

/** NS records that lead strictly further down towards the name; anything else is no progress and could loop. */
function referralIn(reply: Exchange, zone: string, name: string) {
  if (reply.flags?.authoritative || reply.answers.length > 0) return
  const deeper = recordsOf(reply.authority, 'NS').filter(
    (record) => isInZone(name, record.name) && labelCount(record.name) > labelCount(zone),
  )
  const cut = deeper[0]?.name
  return cut === undefined ? undefined : deeper.filter((record) => record.name === cut)
}

/** A server may hold parent and child zone, so the SOA decides; behind a CNAME it is found at the name's parents. */
async function apexOf(needs: DelegationNeeds, reply: Exchange, zone: string, name: string): Promise<string> {
  const soa = recordsOf([...reply.answers, ...reply.authority], 'SOA').find((record) => isInZone(name, record.name))
  const isAlias = recordsOf(reply.answers, 'CNAME', name).length > 0
  if (soa !== undefined && !isAlias) return soa.name
  const parent = parentOf(name)
  if (!isAlias || labelCount(parent) <= labelCount(zone)) return zone
  const { name: serverName, ...server } = reply.server
  return apexOf(needs, await needs.ask(server, parent, 'SOA', { serverName }), zone, parent)
}

async function withOwnNameservers(needs: DelegationNeeds, level: Delegation, apex: string): Promise<Located> {
  const reply = await askLevel(needs, level, apex, 'NS')
  const own = reply === undefined ? [] : recordsOf(reply.answers, 'NS', apex).map((record) => record.data)
  if (apex !== level.zone) return locate(needs, own, reply?.additional ?? [], apex)
  const known = new Set(level.nameservers.map((nameserver) => nameserver.name))
  const unlisted = own.filter((name) => !known.has(name))
  const added = await locate(needs, unlisted, reply?.additional ?? [], apex)
  const nameservers = [...level.nameservers, ...added.nameservers].slice(0, NAMESERVERS_MAX)
  const all = level.nameservers.length + added.nameservers.length + level.skipped + added.skipped
  return { nameservers, skipped: all - nameservers.length }
}

/** Addresses from glue where the answering server may speak for them, otherwise from the resolvers. */
async function locate(
  needs: DelegationNeeds,
  names: readonly string[],
  glue: readonly DnsRecord[],
  bailiwick: string,
): Promise<Located> {
  const distinct = [...new Set(names)]
  const nameservers = distinct.slice(0, NAMESERVERS_MAX).map(async (name): Promise<Nameserver> => {
    const glued = isInZone(name, bailiwick) ? addressesIn(glue, name) : []
    const found = glued.length > 0 ? glued : await lookUpAddresses(needs, name)
    const allowed = found.filter(needs.mayAsk).slice(0, ADDRESSES_PER_NAMESERVER_MAX)
    const addresses = allowed.map((address) => ({ address, port: needs.portFor(name, address) }))
    return { name, addresses, blocked: found.filter((address) => !needs.mayAsk(address)) }
  })
  return { nameservers: await Promise.all(nameservers), skipped: Math.max(0, distinct.length - NAMESERVERS_MAX) }
}

async function lookUpAddresses({ ask, resolvers }: DelegationNeeds, name: string): Promise<string[]> {
  const replies = (['A', 'AAAA'] as const).map(async (type) => {
    const asks = resolvers.map((server) => () => ask(server, name, type, { recursion: true }))
    return (await firstUsable(asks, isSettled)).usable
  })
  return (await Promise.all(replies)).flatMap((reply) => (reply === undefined ? [] : addressesIn(reply.answers)))
}

const leadsTo = ({ answers }: Exchange, top: string) => recordsOf(answers, 'NS', top).length > 0

const isSettled = ({ rcode }: Exchange) => rcode === 'NOERROR' || rcode === 'NXDOMAIN'

function addressesIn(records: readonly DnsRecord[], name?: string): string[] {
  return [...recordsOf(records, 'A', name), ...recordsOf(records, 'AAAA', name)].map((record) => record.data)
}

/** One address of every nameserver first, IPv4 before IPv6, then the second ones. */
function inTurns(nameservers: readonly Nameserver[]): (ServerAddress & { serverName: string })[] {
  const ranked = nameservers.flatMap(({ name, addresses }) =>
    addresses
      .toSorted((a, b) => Number(isIPv4(b.address)) - Number(isIPv4(a.address)))
      .map((server, turn) => ({ turn, server: { ...server, serverName: name } })),
  )
  return ranked.toSorted((a, b) => a.turn - b.turn).map(({ server }) => server)
}

const NAMESERVERS_MAX = 8
const ADDRESSES_PER_NAMESERVER_MAX = 4
const ASKED_PER_LEVEL_MAX = 4
