import { canonicalAddress } from '../../../platform/dns/address.ts'
import { recordsOf } from '../../../platform/dns/record.ts'
import { SECOND_MS } from '../../../platform/clock.ts'
import { iso } from '../../../platform/iso-date.ts'
import { enterOrRefuse, refuseUsedUp } from '../../../platform/share.ts'
import { type DomainActor, requireDomain, requireEditor } from '../domains.ts'
import { visitName } from '../preparation/challenge-zone.ts'
import { findTarget } from '../queries.ts'
import type { ResolverAnswer } from './ask-resolvers.ts'
import type { SwitchNeeds } from './comparison.ts'
import { findMove } from './move-writes.ts'
import { type MoveView, moveView } from './move.ts'

/** Who has which answer at this moment. */
interface AnswerRow {
  kind: 'nameserver' | 'resolver'
  name: string
  address: string
  answers: string[]
  has: 'new' | 'old' | 'none' | 'unknown'
  /** Until when a cache may keep what is not new; null where there is nothing to wait for. */
  until: string | null
}

export interface Spread {
  hostname: string
  at: string
  rows: AnswerRow[]
  move: MoveView | null
}

export interface SpreadNeeds extends SwitchNeeds {
  /** What the well-known resolvers have for a hostname. */
  askResolvers: (hostname: string) => Promise<ResolverAnswer[]>
}

/** Asks every nameserver and the well-known resolvers, and says when the old host may be switched off. */
export async function showSpread(needs: SpreadNeeds, actor: DomainActor, hostname: string): Promise<Spread> {
  requireEditor(actor, 'Asking resolvers')
  const { clock, shares } = needs
  const row = await requireDomain(needs, actor, hostname)
  refuseUsedUp(shares.questions, row.project_id, 'DNS questions')
  using _ = enterOrRefuse(shares.live, row.project_id, 'Live checks')
  const target = await findTarget(needs.storage.read, row.project_id, needs.platformHost)
  const [{ diagnosis }, resolvers, { v4, v6, isPartial = false }] = await Promise.all([
    needs.check({ projectId: row.project_id, hostname: row.hostname, target }),
    needs.askResolvers(visitName(row.hostname)),
    needs.addressesOf(target),
  ])
  shares.questions.charge(row.project_id, 2 * resolvers.length)
  const now = clock.now()
  const ours = new Set([...needs.served.own.addresses, ...v4, ...v6].map(canonicalAddress))
  const here = { target, addresses: ours, isPartial }
  const ofServers = diagnosis.nameservers.map(({ nameserver, address, answers, isHere, status, cacheSeconds }) => {
    const isNone = answers.every((answer) => !/^(?:A|AAAA|CNAME) /.test(answer))
    const has = status !== 'answered' ? 'unknown' : isHere ? 'new' : isNone ? 'none' : 'old'
    return rowOf('nameserver', { name: nameserver, address, answers, has, ttlSeconds: cacheSeconds }, now)
  })
  const ofResolvers = resolvers.map((answer) => {
    const { name, address, records, ttlSeconds, failure, rcode } = answer
    const answers = records.map(({ type, data }) => `${type} ${String(data)}`)
    const told =
      failure !== null ? [failure] : answers.length > 0 ? answers : [rcode === 'NOERROR' ? 'no record' : rcode!]
    return rowOf('resolver', { name, address, answers: told, has: judge(answer, here), ttlSeconds }, now)
  })
  const lasting = ofResolvers.filter(({ has }) => has === 'old').map(({ until }) => Date.parse(until as string))
  await needs.watchMove(row, diagnosis.nameservers, Math.max(0, ...lasting))
  const move = await findMove(needs.storage.read, row.id)
  return {
    hostname: row.hostname,
    at: iso(now),
    rows: [...ofServers, ...ofResolvers],
    move: move ? moveView(move, now) : null,
  }
}

/** Pure: whether what a resolver remembers leads here. */
function judge(
  { records, failure, rcode }: Pick<ResolverAnswer, 'records' | 'failure' | 'rcode'>,
  here: { target: string; addresses: ReadonlySet<string>; isPartial: boolean },
): AnswerRow['has'] {
  if (failure !== null || (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN')) return 'unknown'
  if (recordsOf(records, 'CNAME').some(({ data }) => data === here.target)) return 'new'
  const addresses = [...recordsOf(records, 'A'), ...recordsOf(records, 'AAAA')]
  if (addresses.length === 0) return records.length === 0 ? 'none' : 'old'
  if (addresses.every(({ data }) => here.addresses.has(data))) return 'new'
  return here.isPartial ? 'unknown' : 'old'
}

function rowOf(
  kind: AnswerRow['kind'],
  { name, address, answers, has, ttlSeconds }: Omit<AnswerRow, 'kind' | 'until'> & { ttlSeconds: number },
  now: number,
): AnswerRow {
  return { kind, name, address, answers, has, until: has === 'old' ? iso(now + ttlSeconds * SECOND_MS) : null }
}
