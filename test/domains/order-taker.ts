import assert from 'node:assert/strict'
import {
  addDomain,
  type DomainActor,
  type DomainsNeeds,
  removeDomain,
  showDomain,
  verifyDomain,
} from '../../src/features/domains/domains.ts'
import type { Zone } from '../../src/platform/dns/zone.ts'
import { a, txt } from '../harness/dns.ts'
import { ClaimsModel, type Project, type Standing, type Step } from './claims-model.ts'
import { EDGE, openPacketStage, type PacketStage } from './packet-stage.ts'

export interface OrdersToTake {
  databaseUrl: string | undefined
  orders: readonly Step[][]
}

/** Each project waits for so many of the hostnames at once; it may have 20. */
const ORDERS_PER_TRIO = 15

/** Takes orders of steps, one step of each at a time, and compares with the model after every step. */
export async function takeOrders({ databaseUrl, orders }: OrdersToTake): Promise<number> {
  await using stage = await openPacketStage(databaseUrl)
  const trios: Promise<DomainActor[]>[] = []
  const trioOf = (index: number) =>
    (trios[Math.floor(index / ORDERS_PER_TRIO)] ??= Promise.all([1, 2, 3].map(() => stage.world.project())))
  const compared = new Set<string>()
  const tries = await Promise.all(
    orders.map(async (order, index) => {
      const hostname = `order-${index}.test`
      return new Try(stage, await trioOf(index), { order, hostname, compared })
    }),
  )
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

/** One order, taken by the service and by the model. */
class Try {
  readonly order: readonly Step[]
  readonly #verbs: DomainsNeeds
  readonly #projects: Record<Project, DomainActor>
  readonly #hostname: string
  readonly #zone: Zone
  /** The beginnings after which one of the tries has been compared. */
  readonly #compared: Set<string>
  readonly #model = new ClaimsModel()

  constructor(
    { verbs, zone }: PacketStage,
    [A, B, C]: DomainActor[],
    { order, hostname, compared }: { order: readonly Step[]; hostname: string; compared: Set<string> },
  ) {
    this.order = order
    this.#verbs = verbs
    this.#projects = { A: A!, B: B!, C: C! }
    this.#hostname = hostname
    this.#zone = zone(hostname)
    this.#compared = compared
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
      const where = `${project} after ${this.order.slice(0, turn + 1).join(', ')}`
      if (this.#compared.has(where)) continue
      this.#compared.add(where)
      const seen = await this.#standing(project)
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
