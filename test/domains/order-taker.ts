import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { storageOf } from '../../src/features/audit/audited.ts'
import { SYSTEM } from '../../src/features/audit/record.ts'
import { createDnsCheck } from '../../src/features/domains/dns-check.ts'
import {
  addDomain,
  type DomainActor,
  type DomainsNeeds,
  removeDomain,
  showDomain,
  verifyDomain,
} from '../../src/features/domains/domains.ts'
import type { Expectation } from '../../src/features/domains/diagnosis/diagnose.ts'
import { checkDns, diagnosisIn } from '../../src/features/domains/observation/checked.ts'
import type { Subject } from '../../src/features/domains/observation/observation.ts'
import { CHECK_QUEUE } from '../../src/features/domains/queries.ts'
import { reconcileDomain } from '../../src/features/domains/reconcile.ts'
import { type ManualClock, SECOND_MS } from '../../src/platform/clock.ts'
import { nameserverRules } from '../../src/platform/dns/network.ts'
import type { Zone } from '../../src/platform/dns/zone.ts'
import { Share } from '../../src/platform/share.ts'
import { WorkRunner } from '../../src/platform/work/runner.ts'
import { a, ns, NS1, txt } from '../harness/dns.ts'
import { ClaimsModel, type Project, type Standing, type Step } from './claims-model.ts'
import { openPacketDns, type PacketDns } from './packet-dns.ts'
import { type DomainWorld, openDomainWorld } from './world.ts'

/**
 * Takes orders of steps, one step of each at a time, and compares with the model after every step. It is a thread of
 * its own because the test runner watches every promise of its thread, which makes this five times slower.
 */
export interface OrdersToTake {
  databaseUrl: string | undefined
  orders: readonly Step[][]
}

const EDGE = '192.0.2.1'
/** Each project waits for so many of the hostnames at once; it may have 20. */
const ORDERS_PER_TRIO = 15

async function takeOrders({ databaseUrl, orders }: OrdersToTake): Promise<number> {
  await using stage = await openStage(databaseUrl)
  const tries = await Promise.all(orders.map((order, index) => stage.try(order, index)))
  for (let turn = 0; tries.some(({ order }) => turn < order.length); turn++) {
    await aFewAtOnce(tries, (each) => each.take(turn))
    await stage.settle()
    await aFewAtOnce(tries, (each) => each.compare(turn))
  }
  return tries.length
}

/** Hundreds that wait for one connection would mostly wake each other. */
async function aFewAtOnce<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const work = async () => {
    for (const item of left) await run(item)
  }
  await Promise.all(Array.from({ length: 8 }, work))
}

interface Stage extends AsyncDisposable {
  try(order: readonly Step[], index: number): Promise<Try>
  settle(): Promise<void>
}

/** The real verbs and the real reconciler; nobody orders certificates. */
async function openStage(databaseUrl: string | undefined): Promise<Stage> {
  await using opening = new AsyncDisposableStack()
  const internet = openPacketDns()
  const world = opening.use(await openDomainWorld({ databaseUrl, idle: true, names: internet.names }))
  const { storage, clock, changes, config } = world
  const { network } = internet.names
  const asks = { dns: internet.dns, clock, resolvers: network.resolvers, ...nameserverRules(network) }
  const lookups = {
    check: (subject: Subject, expectation: Expectation) => checkDns(asks, subject, expectation),
    diagnosisOf: async (packed: string) => diagnosisIn(packed),
  }
  const plenty = () => new Share({ atOnce: 1e9, burst: 1e9, perMinute: 1e9 }, clock)
  const shares = { verify: plenty(), questions: plenty(), live: plenty() }
  const check = createDnsCheck({
    lookups,
    shares,
    addresses: [EDGE],
    challengeZone: undefined,
    caa: async () => undefined,
  })
  const audited = storageOf(storage, SYSTEM, clock)
  const reconciler = {
    storage,
    audited,
    clock,
    check,
    shares,
    platformHost: config.platformHost,
    watchMove: async () => {},
  }
  const runner = opening.use(
    new WorkRunner({
      storage,
      clock,
      changes,
      queue: CHECK_QUEUE,
      concurrency: 16,
      handle: (lease, signal) => reconcileDomain(reconciler, lease, signal),
      onError: (error) => world.errors.push(error),
    }),
  )
  runner.start()
  const addressesOf = async () => ({ v4: [EDGE], v6: [] })
  const verbs = { ...world.verbs, check, shares, addressesOf, diagnosisOf: lookups.diagnosisOf }
  const trios: Promise<DomainActor[]>[] = []
  const open = opening.move()
  return {
    async try(order, index) {
      const trio = (trios[Math.floor(index / ORDERS_PER_TRIO)] ??= Promise.all([1, 2, 3].map(() => world.project())))
      return new Try(verbs, internet, await trio, { order, hostname: `order-${index}.test` })
    },
    async settle() {
      await changes.catchUp()
      while ((await dueChecks(world)).length > 0) await wait(2)
      assert.deepEqual(world.errors, [])
      ;(clock as ManualClock).advance(SECOND_MS)
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

const dueChecks = ({ storage, clock }: DomainWorld) =>
  storage.read
    .selectFrom('work')
    .select('subject')
    .where('queue', '=', CHECK_QUEUE)
    .where('due_at', '<=', clock.now())
    .limit(1)
    .execute()

/** One order, taken by the service and by the model. */
class Try {
  readonly order: readonly Step[]
  readonly #verbs: DomainsNeeds
  readonly #projects: Record<Project, DomainActor>
  readonly #hostname: string
  readonly #zone: Zone
  readonly #model = new ClaimsModel()

  constructor(
    verbs: DomainsNeeds,
    { zones }: PacketDns,
    [A, B, C]: DomainActor[],
    { order, hostname }: { order: readonly Step[]; hostname: string },
  ) {
    this.order = order
    this.#verbs = verbs
    this.#projects = { A: A!, B: B!, C: C! }
    this.#hostname = hostname
    this.#zone = { apex: hostname, serial: 1, records: [ns(hostname, NS1)] }
    zones.set(hostname, this.#zone)
  }

  async take(turn: number): Promise<void> {
    const step = this.order[turn]
    if (step === undefined) return
    this.#model.take(step)
    const [verb, project] = step.split(' ') as [string, Project]
    const actor = this.#projects[project]
    const hostname = this.#hostname
    const { records } = this.#zone
    switch (verb) {
      case 'point':
        return void records.push(a(hostname, EDGE))
      case 'unpoint':
        return void records.splice(records.findIndex(({ type }) => type === 'A'))
      case 'add':
        return void (await addDomain(this.#verbs, actor, { hostname }))
      case 'verify':
        return void (await verifyDomain(this.#verbs, actor, hostname))
      case 'remove':
        return void (await removeDomain(this.#verbs, actor, { hostname }))
      case 'txt': {
        const { proof } = (await showDomain(this.#verbs, actor, hostname)).record
        return void (proof && records.push(txt(proof.fullName, proof.value)))
      }
    }
  }

  async compare(turn: number): Promise<void> {
    const step = this.order[turn]
    // Pointing changes nothing until somebody looks, and a TXT record nothing until somebody verifies.
    if (step === undefined || !/^(add|verify|remove)/.test(step)) return
    // Verify is about the one who chose it; what it means for the others is seen at the next of these, or at the end.
    const isAboutAll = !step.startsWith('verify') || turn === this.order.length - 1
    for (const project of isAboutAll ? this.#involved : [step.split(' ')[1] as Project]) {
      const seen = await this.#standing(project)
      const where = `${project} after ${this.order.slice(0, turn + 1).join(', ')}`
      assert.deepEqual(seen, this.#model.standing(project), where)
    }
  }

  get #involved(): Project[] {
    return (['A', 'B', 'C'] as const).filter((project) => this.order.includes(`add ${project}`))
  }

  async #standing(project: Project): Promise<Standing> {
    const shown = await showDomain(this.#verbs, this.#projects[project], this.#hostname).catch(() => undefined)
    if (shown === undefined || shown.removedAt !== null) return { state: 'absent', proof: false }
    return { state: shown.verifiedAt === null ? 'pending' : 'live', proof: shown.record.proof !== null }
  }
}

parentPort?.postMessage(await takeOrders(workerData as OrdersToTake))
