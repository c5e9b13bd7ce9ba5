import { Lru } from '../src/edge/lru.ts'
import { hostnameOf } from './domains-fill.ts'
import type { DomainService } from './domains-service.ts'
import { cpuMsOfHandshakes, residentMb } from './process-figures.ts'
import { judge } from './report.ts'
import { zipfRanks } from './zipf.ts'

/** The edge's own bound: see ContextCache. */
const CONTEXTS_MAX = 5_000
const DIFFERENT_HOSTS = 20_000
const VISITS = 8_000
const LONG_RUN_VISITS = 400_000
const STRANGERS = 4_000
const RSS_GROWTH_MAX = 1.25
const REFUSAL_CPU_MS_MAX = 1

/** Handshakes with many hosts: what they cost, what stays in memory, and what strangers can make the service do. */
export async function shakeHands(service: DomainService, domains: number, random: () => number): Promise<void> {
  console.log(`\nHandshakes, ${CONTEXTS_MAX.toLocaleString('en')} contexts kept`)
  const knownMs = await cost(service, 1_000, () => hostnameOf(0))
  console.log(`  the same host again          ${knownMs.toFixed(2)} ms of processor each`)
  console.log(`  memory                       ${residentMb(service.process).toFixed(0)} MB at first`)

  const readings: number[] = []
  const step = DIFFERENT_HOSTS / 8
  for (let from = 0; from < DIFFERENT_HOSTS; from += step) {
    let next = from
    const cpuMs = await cost(service, step, () => hostnameOf(next++))
    readings.push(residentMb(service.process))
    const memory = `${readings.at(-1)?.toFixed(0)} MB`
    console.log(`  ${String(next).padStart(6)} different hosts       ${cpuMs.toFixed(2)} ms each, ${memory}`)
  }
  const full = readings[Math.ceil(CONTEXTS_MAX / step)] as number
  const growth = (readings.at(-1) as number) / full
  judge(`memory at the end / when the cache was full   ${growth.toFixed(2)}`, growth <= RSS_GROWTH_MAX)

  const visits = zipfRanks(domains, VISITS, random)
  const longRun = hitShare(zipfRanks(domains, LONG_RUN_VISITS, random))
  let visit = 0
  const visitMs = await cost(service, visits.length, () => hostnameOf(visits[visit++] as number))
  const hosts = new Set(visits).size.toLocaleString('en')
  console.log(`  ${VISITS} visits of Zipf's kind  ${hosts} hosts, ${visitMs.toFixed(2)} ms each`)
  console.log(`  at hand in the long run      ${(longRun * 100).toFixed(0)} % of such visits`)
  console.log(`  memory                       ${residentMb(service.process).toFixed(0)} MB afterwards`)

  const again = await cost(service, STRANGERS, () => `stranger-${Math.floor(random() * 5)}.example.net`)
  let stranger = 0
  const ever = await cost(service, STRANGERS, () => `stranger-${stranger++}.example.org`)
  judge(`a stranger that comes again is refused for    ${again.toFixed(2)} ms`, again < REFUSAL_CPU_MS_MAX)
  judge(`ever new strangers, a look-up each            ${ever.toFixed(2)} ms`, ever < REFUSAL_CPU_MS_MAX)
  const rest = residentMb(service.process)
  judge(`memory after strangers                        ${rest.toFixed(0)} MB`, rest < full * RSS_GROWTH_MAX)
}

const cost = (service: DomainService, count: number, name: () => string) =>
  cpuMsOfHandshakes(service.process, service.httpsPort, Array.from({ length: count }, name))

/** More visits than there is time for handshakes, at the same kind of cache: the second half of them counts. */
function hitShare(visits: readonly number[]): number {
  const contexts = new Lru<true>(CONTEXTS_MAX)
  let hits = 0
  for (const [index, visit] of visits.entries()) {
    if (!contexts.get(hostnameOf(visit))) contexts.set(hostnameOf(visit), true)
    else if (index >= visits.length / 2) hits++
  }
  return hits / (visits.length / 2)
}
