import { type DomainActor, showDomain, verifyDomain } from '../../../src/features/domains/domains.ts'
import { prepareDomain } from '../../../src/features/domains/preparation/prepare.ts'
import type { RecordAdvice } from '../../../src/features/domains/record.ts'
import { showSwitch } from '../../../src/features/domains/switch/comparison.ts'
import type { MoveView } from '../../../src/features/domains/switch/move.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/platform/clock.ts'
import type { ZoneRecord } from '../../../src/platform/dns/zone.ts'
import { a, aaaa, cname, txt } from '../../harness/dns.ts'
import { until } from '../../harness/until.ts'
import { EDGE, type MoveLab, NS1, NS2 } from './lab.ts'
import { OLD_BODY, type OldHost, openOldHost } from './old-host.ts'
import { openVisitors, type Visitors } from './visitors.ts'

export interface MovePlan {
  apex: string
  hostname: string
  /** How many ask without pause. */
  visitors: number
  /** The old host says that it has HTTPS only, and nobody tries anything else. */
  hsts?: boolean
}

/** A name that people visit without pause at its old host, and its way to this service. */
export interface LiveMove extends AsyncDisposable {
  readonly actor: DomainActor
  readonly visitors: Visitors
  readonly oldHost: OldHost
  /** What the page said to create. */
  prepare(): Promise<RecordAdvice>
  /** Lets an hour pass in which each resolver asks anew at another time, the last of them at the very end. */
  age(): Promise<void>
  /** What the nameservers have for the hostname from now on: both of them, or the one that is named. */
  publish(records: readonly ZoneRecord[], nameserver?: string): void
  /** What the page says. */
  page(): Promise<MoveView>
  verify(): Promise<void>
  /** Time passes, the service does what is due, and everybody asks again. */
  pass(ms: number): Promise<void>
  /** Lets time pass until the page says that the old host may be switched off. */
  untilMoved(): Promise<void>
  /** How many visits ended well at the old host, and how many here. */
  served(): { there: number; here: number }
}

const OLD = { v4: '192.0.2.7', v6: '2001:db8::7' }
const OLD_TTL_SECONDS = 3600

export async function openLiveMove(lab: MoveLab, plan: MovePlan): Promise<LiveMove> {
  const { hostname, hsts = false } = plan
  const { clock, verbs, resolvers } = lab
  await using building = new AsyncDisposableStack()
  const oldHost = building.use(await openOldHost(hostname, { hsts }))
  const zone = lab.addZone(plan.apex)
  const publish = (records: readonly ZoneRecord[], ...nameservers: string[]) => {
    const at = nameservers.length > 0 ? nameservers : [NS1, NS2]
    const kept = zone.records.filter(({ name, onlyOn = '' }) => name !== hostname || !at.includes(onlyOn))
    zone.records = [...kept, ...at.flatMap((onlyOn) => records.map((record) => ({ ...record, onlyOn })))]
    zone.serial++
    for (const nameserver of at) zone.serialOn![nameserver] = zone.serial
  }
  publish([a(hostname, OLD.v4, OLD_TTL_SECONDS), aaaa(hostname, OLD.v6, OLD_TTL_SECONDS)])

  const there = { ports: oldHost.ports, body: OLD_BODY }
  const hosts = new Map([
    [OLD.v4, there],
    [OLD.v6, there],
    [EDGE.v4, lab.edge],
    [EDGE.v6, lab.edge],
  ])
  const trusted = [oldHost.rootPem, lab.rootPem]
  const visitors = building.use(
    await openVisitors({ hostname, clock, resolvers, hosts, trusted }, { count: plan.visitors, httpsOnly: hsts }),
  )
  await visitors.askAgain()
  const actor = await lab.project()
  const page = async () => (await showSwitch(verbs, actor, hostname)).move!
  const pass = async (ms: number) => {
    clock.advance(ms)
    await lab.settle()
    await visitors.askAgain()
  }
  const verify = async () => {
    await verifyDomain(verbs, actor, hostname)
    await lab.settle()
  }
  const running = building.move()
  return {
    actor,
    visitors,
    oldHost,
    publish,
    page,
    pass,
    verify,
    async prepare() {
      const { record } = await prepareDomain(verbs, actor, { hostname })
      const { proof, challenge } = record
      zone.records.push(txt(proof!.fullName, proof!.value), cname(challenge!.fullName, challenge!.value))
      await verifyDomain(verbs, actor, hostname)
      await until('it is ready to switch', async () => {
        if ((await showDomain(verbs, actor, hostname)).state === 'ready') return true
        // The pauses in which an authority is asked how far it is.
        clock.advance(SECOND_MS)
        return false
      })
      return record
    },
    async age() {
      for (const resolver of resolvers) {
        await pass(HOUR_MS / resolvers.length)
        resolver.forget()
      }
      await visitors.askAgain()
    },
    async untilMoved() {
      for (;;) {
        const { phase, oldHostUntil } = await page()
        if (phase === 'moved') return
        await pass(stepOf(oldHostUntil === null ? Infinity : Date.parse(oldHostUntil) - clock.now()))
      }
    },
    served() {
      const sum = ({ v4, v6 }: typeof OLD) => (visitors.answered.get(v4) ?? 0) + (visitors.answered.get(v6) ?? 0)
      return { there: sum(OLD), here: sum(EDGE) }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Towards the end in small steps, so that browsers ask shortly before a resolver forgets. */
const MARKS_MS = [130, 100, 10, 0].map((seconds) => seconds * SECOND_MS)
const STEP_MS = 20 * MINUTE_MS

const stepOf = (leftMs: number) => Math.min(STEP_MS, leftMs - MARKS_MS.find((mark) => mark < leftMs)!)
