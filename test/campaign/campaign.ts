import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { limitedDisk } from '../faults/limited-disk.ts'
import { type Animal, exactJson } from '../faults/writers.ts'
import { layOutSchema } from '../harness/schema.ts'
import { type ServiceProcess, startServiceProcess } from '../harness/service-process.ts'
import { until } from '../harness/until.ts'
import { TENANTS, type Tenant } from './ask.ts'
import { type AtLast, judge, type Order, type Verdict } from './check.ts'
import { runClient } from './clients.ts'
import { startDatabase } from './database.ts'
import { type Fault, type FaultFigures, figuresOf } from './faults.ts'
import { type FleetOptions, tormentFleet } from './fleet-nemesis.ts'
import { emptyHistory, type History } from './history.ts'
import { runKeys } from './keys.ts'
import { type Pace, timedPace } from './pace.ts'
import { Random } from './random.ts'
import { type SqliteOptions, tormentSqlite } from './sqlite-nemesis.ts'
import { supervised } from './supervised.ts'
import { runWalker } from './walkers.ts'
import { startWire } from './wire.ts'

export interface Outcome {
  readonly verdict: Verdict
  readonly figures: readonly FaultFigures[]
  readonly seconds: number
}

export interface Tempo {
  /** Of the nemesis. */
  paceOf(random: Random, history: History): Pace
  /** Of a client between two requests. */
  pauseMsMax: number
}

const FAULT_MS_MAX = 8000
const inTime = (restMsMax: number): Tempo => ({
  paceOf: (random, history) => timedPace(history, random, restMsMax, FAULT_MS_MAX),
  pauseMsMax: 12,
})

const CLIENTS_PER_INSTANCE = 6
const DISK_BYTES = 512 * 1024 * 1024

/** A service on SQLite that is killed so many times, with full disks and failing syncs in between. */
export async function sqliteCampaign(seed: number, options: SqliteOptions, tempo = inTime(600)): Promise<Outcome> {
  using disk = limitedDisk(DISK_BYTES)
  layOutSchema(disk.directory)
  await using service = await startServiceProcess({ dataDirectory: disk.directory, wrapper: disk.wrapper })
  const faults: Fault[] = []
  const environment = () => ({ PETSTORE_DATA: disk.directory })
  const outcome = await observe({ seed, instances: [service], environment, faults, tempo }, (random, history) =>
    tormentSqlite({ service, disk, random, faults, pace: tempo.paceOf(random, history) }, options),
  )
  await service.kill()
  return withMore(outcome, damageOfFile(join(disk.directory, 'petstore.sqlite')))
}

/** Instances on a replicated PostgreSQL, and a nemesis for a round or so much time. */
export async function fleetCampaign(
  seed: number,
  options: FleetOptions,
  size = 3,
  tempo = inTime(2000),
): Promise<Outcome> {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await startDatabase())
  const wires = await Promise.all(Array.from({ length: size }, () => startWire(() => database.port)))
  for (const wire of wires) opened.use(wire)
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-campaign-'))
  opened.defer(() => rmSync(dataDirectory, { recursive: true, force: true }))

  const instances: ServiceProcess[] = []
  for (const { port } of wires) {
    const DATABASE_URL = `postgres://postgres@127.0.0.1:${port}/${database.name}`
    const keys = instances[0]?.keys
    const options = { dataDirectory, environment: { DATABASE_URL }, ...(keys ? { keys } : {}) }
    instances.push(opened.use(await supervised(() => startServiceProcess(options))))
  }
  const faults: Fault[] = []
  const environment = () => ({
    PETSTORE_DATA: dataDirectory,
    DATABASE_URL: `postgres://postgres@127.0.0.1:${database.port}/${database.name}`,
  })
  const outcome = await observe({ seed, instances, environment, faults, tempo }, (random, history) =>
    tormentFleet({ instances, wires, database, random, faults, pace: tempo.paceOf(random, history) }, options),
  )
  return withMore(outcome, await database.damage())
}

const withMore = ({ verdict, ...rest }: Outcome, damage: readonly string[]): Outcome => ({
  ...rest,
  verdict: { ...verdict, violations: [...verdict.violations, ...damage] },
})

function damageOfFile(file: string): string[] {
  using database = new DatabaseSync(file)
  const [integrity] = database.prepare('pragma integrity_check').all()
  const orphans = database.prepare('pragma foreign_key_check').all()
  return [
    ...(integrity?.integrity_check === 'ok' ? [] : [`the file is damaged: ${JSON.stringify(integrity)}`]),
    ...orphans.map((row) => `a row refers to nothing: ${JSON.stringify(row)}`),
  ]
}

interface Observed {
  seed: number
  instances: readonly ServiceProcess[]
  environment: () => Record<string, string>
  faults: Fault[]
  tempo: Tempo
}

async function observe(
  { seed, instances, environment, faults, tempo: { pauseMsMax } }: Observed,
  torment: (random: Random, history: History) => Promise<void>,
): Promise<Outcome> {
  const startedAt = performance.now()
  const random = new Random(seed)
  const history = emptyHistory(instances.length)
  const state = { hasEnded: false }
  const hasEnded = () => state.hasEnded
  const working = TENANTS.flatMap((tenant) => {
    const known: bigint[] = []
    return [
      ...instances.flatMap((_, home) =>
        Array.from({ length: CLIENTS_PER_INSTANCE / TENANTS.length }, () =>
          runClient({ instances, history, random: random.branch(), tenant, home, hasEnded, known, pauseMsMax }),
        ),
      ),
      runWalker({ instances, history, random: random.branch(), tenant, hasEnded }),
    ]
  })
  working.push(runKeys({ instances, history, random: random.branch(), environment, hasEnded }))
  try {
    await torment(random.branch(), history)
    await untilAllServe(instances, history)
  } finally {
    state.hasEnded = true
    await Promise.all(working)
  }
  const atLast = new Map<Tenant, AtLast>()
  for (const tenant of TENANTS) {
    const [service] = instances as [ServiceProcess]
    const animals = (await every(service, tenant, '/pets')) as Animal[]
    atLast.set(tenant, { animals, orders: (await every(service, tenant, '/store/orders')) as Order[] })
  }
  const seconds = (performance.now() - startedAt) / 1000
  return { verdict: judge(history, atLast), figures: figuresOf(faults, history.served), seconds }
}

/** The last fault is over when everybody has acknowledged a write after it. */
async function untilAllServe(instances: readonly ServiceProcess[], { served }: History): Promise<void> {
  const mendedAt = performance.now()
  await until('every instance serves again', () =>
    instances.every((_, instance) => (served[instance]?.at(-1) ?? 0) > mendedAt),
  )
}

async function every(service: ServiceProcess, tenant: Tenant, path: string): Promise<unknown[]> {
  const port = tenant === 'production' ? service.productionPort : service.stagingPort
  const items: unknown[] = []
  let url: string | undefined = `http://127.0.0.1:${port}/v1${path}?limit=100`
  while (url !== undefined) {
    const response = await fetch(url, { headers: { Authorization: `Bearer ${service.keys[tenant]}` } })
    if (response.status !== 200) throw new Error(`The final list: ${response.status} ${await response.text()}`)
    items.push(...(exactJson(await response.text()) as unknown[]))
    const next = /<[^>]*(\/v1[^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1]
    url = next && `http://127.0.0.1:${port}${next}`
  }
  return items
}
