import { setTimeout as wait } from 'node:timers/promises'
import type { Animal } from '../faults/writers.ts'
import type { ServiceProcess } from '../harness/service-process.ts'
import { ask, type Tenant } from './ask.ts'
import type { History, Span } from './history.ts'
import type { Random } from './random.ts'

interface WalkerNeeds {
  readonly instances: readonly ServiceProcess[]
  readonly history: History
  readonly random: Random
  readonly tenant: Tenant
  readonly hasEnded: () => boolean
}

/**
 * Follows the cursor to the end of the list and, from the last one it was given, on again as animals are added, each
 * time at another instance. Whatever had been acknowledged when it asked for the last page must have been on one of
 * its pages by then: a cursor that an animal slips past would be found here.
 */
export async function runWalker({ instances, history, random, tenant, hasEnded }: WalkerNeeds): Promise<void> {
  const walk = new Walk(history, tenant)
  while (!hasEnded()) {
    const answer = await ask(random.pick(instances), tenant, walk.path)
    if (answer?.status === 200) walk.arrive(answer.body as Animal[], answer, answer.next)
    else if (answer && answer.status !== 503)
      history.violations.push(`${walk.path}: ${answer.status} ${answer.text.slice(0, 200)}`)
    if (answer?.status !== 200 || !answer.next) await wait(random.below(300))
  }
}

class Walk {
  path = '/pets?limit=100'
  readonly #history: History
  readonly #tenant: Tenant
  readonly #seen = new Set<bigint>()
  /** What is left to be seen: acknowledged, in the order of that. */
  #checked = 0

  constructor(history: History, tenant: Tenant) {
    this.#history = history
    this.#tenant = tenant
  }

  arrive(animals: readonly Animal[], { start, end }: Span, next?: string): void {
    const { sights, violations } = this.#history
    let last = 0n
    for (const { id, name, status } of animals) {
      if (id <= last) violations.push(`${this.path}: animal ${id} comes after ${last}`)
      last = id
      this.#seen.add(id)
      sights.push({ tenant: this.#tenant, petId: id, name, status, start, end })
    }
    if (next !== undefined) this.path = next
    else this.#requireAll(start)
  }

  #requireAll(start: number): void {
    const { creates, violations } = this.#history
    // Noted when they were answered, so that the array is in the order of that.
    for (; this.#checked < creates.length; this.#checked++) {
      const { id, end, tenant, name } = creates[this.#checked] as (typeof creates)[number]
      if (end !== Infinity && end >= start) return
      if (tenant !== this.#tenant || id === undefined || this.#seen.has(id)) continue
      violations.push(`the cursor passed by animal ${id} (${name}), acknowledged ${Math.round(start - end)} ms before`)
    }
  }
}
