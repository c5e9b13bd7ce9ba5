import type { ServiceProcess } from '../harness/service-process.ts'
import type { Database } from './database.ts'
import type { Fault } from './faults.ts'
import type { Pace } from './pace.ts'
import type { Random } from './random.ts'
import { supervised } from './supervised.ts'
import type { Wire } from './wire.ts'

export interface FleetNeeds {
  readonly instances: readonly ServiceProcess[]
  /** Between each instance and the database. */
  readonly wires: readonly Wire[]
  readonly database: Database
  readonly random: Random
  readonly pace: Pace
  readonly faults: Fault[]
}

type Deed = (needs: FleetNeeds, victim: number, endure: () => Promise<void>) => Promise<void>

/** What is done to one instance; the others must go on. */
const TO_ONE: Record<string, Deed> = {
  'instance killed': ({ instances }, victim) => supervised(() => (instances[victim] as ServiceProcess).restart()),
  'instance stopped': async ({ instances }, victim, endure) => {
    const { pid } = instances[victim] as ServiceProcess
    process.kill(pid, 'SIGSTOP')
    await endure()
    process.kill(pid, 'SIGCONT')
  },
  'instance cut off': async ({ wires }, victim, endure) => {
    wires[victim]?.cut()
    await endure()
    wires[victim]?.mend()
  },
  'instance slowed': async ({ wires }, victim, endure) => {
    wires[victim]?.slow(40)
    await endure()
    wires[victim]?.mend()
  },
  'instance drained': async ({ instances }, victim) => {
    const service = instances[victim] as ServiceProcess
    const { code, signal, stderr } = await service.stop()
    if (code !== 0) throw new Error(`A drained instance ended with ${code ?? signal}:\n${stderr}`)
    await supervised(() => service.restart())
  },
}

/** What is done to the database: everybody waits, and must come back by themselves. */
const TO_ALL: Record<string, Deed> = {
  'database restarted': ({ database }) => database.restart(),
  'database killed': ({ database }) => database.kill(),
  'database frozen': async ({ wires }, _victim, endure) => {
    for (const wire of wires) wire.freeze()
    await endure()
    for (const wire of wires) wire.mend()
  },
  'table locked': ({ database }, _victim, endure) => database.lockPets(endure),
  'connections filled': ({ database }, _victim, endure) => database.fillConnections(endure),
  'schema migrated': ({ database }) => database.migrate(),
  'standby promoted': ({ database }) => database.promoteStandby(),
}

export interface FleetOptions {
  /** Rounds of faults begin until then; one at least. */
  readonly minutes: number
  readonly kinds?: readonly string[]
}

/** Does one thing after the other, each kind once in a round, and mends each before the next. */
export async function tormentFleet(
  needs: FleetNeeds,
  { minutes, kinds = [...Object.keys(TO_ONE), ...Object.keys(TO_ALL)] }: FleetOptions,
): Promise<void> {
  const { random, faults, instances, pace } = needs
  const endsAt = performance.now() + minutes * 60_000
  do {
    for (const kind of shuffled(kinds, random)) {
      await pace.rest()
      const victim = random.below(instances.length)
      const only = TO_ONE[kind] ? victim : undefined
      const start = performance.now()
      const deed = (TO_ONE[kind] ?? TO_ALL[kind]) as Deed
      await deed(needs, victim, () => pace.endure(only))
      faults.push({ kind, victim: only, start, end: performance.now() })
    }
  } while (performance.now() < endsAt)
}

function shuffled(items: readonly string[], random: Random): string[] {
  return items
    .map((item) => ({ item, place: random.below(2 ** 32) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
