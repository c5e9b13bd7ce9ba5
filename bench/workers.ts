import { importInto, mixed, NEW_PET, pagesOf } from './animals.ts'
import { inTurns, type Load, measure, median, moveToCore, perSecondTogether, WARM_UP_SECONDS } from './load.ts'
import { residentMb } from './process-figures.ts'
import { judge, report } from './report.ts'
import { type PetstoreServer, restart, startPetstore } from './servers.ts'

/**
 * One worker on one core with the load on the other, against two workers on both with the load beside them; and, as
 * much as the machine can give, against two services that share nothing, each with a core and half of the load.
 */
const ROUNDS = 7
const RATE_MIN = 1.5
const MEMORY_MAX = 1.6

await using one = await filled('1')
await using two = await filled('2')
const loads = { one: await loadOf(one, { isBeside: false }), two: await loadOf(two, { isBeside: true }) }
const slices = inTurns(loads, ROUNDS)
const [memory, alone] = [residentMb(two.process), residentMb(one.process)]
const apart = await twoApart()
const rate = (of: { perSecond: number }[]) => median(of.map(({ perSecond }) => perSecond))
const spent = (of: { processorUs: number | undefined }[]) => median(of.map(({ processorUs }) => processorUs as number))
report('Two workers on two cores, no two requests alike: mix 45 / 45 / 10, 64 connections, the load beside them', [
  { what: 'two workers / one', service: rate(slices.two), other: rate(slices.one), floor: RATE_MIN },
  { what: 'two services that share nothing / one', service: median(apart.both), other: median(apart.one) },
])
console.log(
  `  Processor time for each request, µs: ${spent(slices.two).toFixed(0)}; one ${spent(slices.one).toFixed(0)}`,
)
const share = memory / alone
const told = `Memory after that: ${memory.toFixed(0)} MB; one ${alone.toFixed(0)} MB = ${share.toFixed(2)}`
judge(`${told} (under ${MEMORY_MAX})`, share < MEMORY_MAX)

/** Both at once, in turns with one of them alone. */
async function twoApart(): Promise<{ both: number[]; one: number[] }> {
  await using second = await filled('1')
  moveToCore(1, second.process)
  const half = { isBeside: true, connections: 32, seconds: 2 }
  const halves = [
    { ...loads.one, ...half },
    { ...(await loadOf(second, { isBeside: true })), ...half },
  ]
  measure({ ...(halves[1] as Load), seconds: WARM_UP_SECONDS })
  const measured = { both: [] as number[], one: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    measured.one.push(measure(loads.one).perSecond)
    measured.both.push(await perSecondTogether(halves))
  }
  return measured
}

/** Not the first start, which compiles everything. */
async function filled(workers: string): Promise<PetstoreServer> {
  const environment = { PETSTORE_WORKERS: workers }
  const first = await startPetstore(environment)
  importInto(first)
  return restart(first, environment)
}

async function loadOf(server: PetstoreServer, { isBeside }: { isBeside: boolean }): Promise<Load> {
  const targets = mixed(await pagesOf(server))
  return {
    url: `${server.url}/pets`,
    headers: { Authorization: `Bearer ${server.key}`, 'Content-Type': 'application/json' },
    body: NEW_PET,
    targets: targets.map((path) => (path === 'POST' ? path : `/v1${path}`)),
    isBeside,
    server: server.process,
  }
}
