import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { SOCKETS } from '../src/edge/ports.ts'
import { importInto, pagesOf } from './animals.ts'
import type { NeighbourOrder } from './fair-neighbour.ts'
import { inTurns, type Load, type Measured, measure, median, onCore, whenIdle } from './load.ts'
import { judge } from './report.ts'
import { type PetstoreServer, type Server, START_COMMAND, startBare, startPetstore } from './servers.ts'

/**
 * Pages that were never asked before, and how much longer than the middle one the slowest hundredth takes: alone, and
 * while another tenant lists, imports or uploads. Beside it a bare server whose handler burns the same time, alone:
 * whoever waits behind 63 others has a tail there too.
 */
const RATIO_MAX = 1.3
const ROUNDS = 5
/** They do not count: in them a server does things for the first time, and its compiler works at the side. */
const WARM_UP_ROUNDS = 3
const TRIAL_ROUNDS = 100
const BURN_SLICES = 9
const OPENING_MS = 1000
/** With a part of a row's name: these only. */
const only = process.argv[2] ?? ''
/** 1,000 is the most that one network may hold: they come over IPv6, where nothing else here is of the same network. */
const CROWDS = [
  { connections: 64, seconds: 3 },
  { connections: 1000, seconds: 6 },
]

await using petstore = await startPetstore()
importInto(petstore)
const pages = await pagesOf(petstore)
const service: Load = {
  url: `${petstore.url.replace('127.0.0.1', '[::1]')}/pets`,
  headers: { Authorization: `Bearer ${petstore.key}` },
  targets: pages.map((path) => `/v1${path}`),
  server: petstore.process,
}
const answers = [{ method: 'GET' as const, path: '/pets', query: pages[1234]?.slice('/pets'.length) as string }]
const burn = await workToBurn()
// With as many sockets as the service has, or most of a thousand would never get in.
await using bare = await startBare(petstore, answers, { burnRounds: burn.rounds, sockets: SOCKETS })
const yardstick: Load = { ...service, url: `${bare.url}/v1/pets`, server: bare.process }

const neighbours = await prepareNeighbours(petstore, 'neighbour')
console.log(`\nFairness: p99 over p50 of lists, against a bare server that burns ${burn.us.toFixed(0)} µs for each`)
for (const { connections, seconds } of CROWDS) {
  const crowd = { connections, seconds, openingMs: OPENING_MS }
  for (const [what, order] of Object.entries<NeighbourOrder | undefined>({ alone: undefined, ...neighbours })) {
    const row = `${connections} connections, ${what}`
    if (!row.includes(only)) continue
    const tails = { ours: [] as number[], bare: [] as number[] }
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      const ours = tailOf(await beside(order, () => measure({ ...service, ...crowd })))
      const theirs = tailOf(measure({ ...yardstick, ...crowd }))
      if (round < 0) continue
      tails.ours.push(ours)
      tails.bare.push(theirs)
    }
    const [ours, theirs] = [median(tails.ours), median(tails.bare)]
    const told = `${row}: ${ours.toFixed(2)} : ${theirs.toFixed(2)}`
    judge(`${told} = ${(ours / theirs).toFixed(2)} (at most ${RATIO_MAX})`, ours / theirs <= RATIO_MAX)
  }
}

function tailOf({ p50Ms, p99Ms, failures }: Measured): number {
  if (failures > 0) throw new Error(`${failures} requests failed`)
  return p99Ms / p50Ms
}

/** What the service's processor does for a list beyond what a bare server's does, as work that takes as long. */
async function workToBurn(): Promise<{ us: number; rounds: number }> {
  await using idle = await startBare(petstore, answers)
  await using trial = await startBare(petstore, answers, { burnRounds: TRIAL_ROUNDS })
  const bareLoad = ({ url, process }: Server) => ({ ...service, url: `${url}/v1/pets`, server: process })
  const slices = inTurns({ service, idle: bareLoad(idle), trial: bareLoad(trial) }, BURN_SLICES)
  const spent = (of: Measured[]) => median(of.map(({ processorUs }) => processorUs as number))
  const us = Math.max(0, spent(slices.service) - spent(slices.idle))
  const roundUs = (spent(slices.trial) - spent(slices.idle)) / TRIAL_ROUNDS
  return { us, rounds: Math.round(us / roundUs) }
}

async function beside<Value>(order: NeighbourOrder | undefined, run: () => Value): Promise<Value> {
  if (order === undefined) return run()
  const script = join(import.meta.dirname, 'fair-neighbour.ts')
  const told = JSON.stringify({ ...order, afterMs: OPENING_MS })
  const [command, ...words] = onCore(1, whenIdle([process.execPath, script, told])) as [string, ...string[]]
  const neighbour = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(neighbour, 'exit')
  let value: Value
  let code: unknown
  try {
    await once(neighbour.stdout, 'data')
    value = run()
  } finally {
    neighbour.kill()
    ;[code] = await ended
  }
  if (code !== 0) throw new Error(`The neighbour ended with ${String(code)} before it was told to.`)
  return value
}

/** Another project, with animals, a key, and somebody who may upload. */
async function prepareNeighbours(
  { url, directory }: PetstoreServer,
  project: string,
): Promise<Record<string, NeighbourOrder>> {
  const run = (words: string[], input = '') => {
    const [node, script] = START_COMMAND as [string, string]
    const env = { ...process.env, PETSTORE_DATA: directory }
    return execFileSync(node, [script, ...words], { env, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] })
  }
  const where = ['--project', project, '--environment', 'production']
  const file = join(directory, 'animals.ndjson')
  run(['projects', 'create', project, '--plan', 'pro'])
  run(['import', file, ...where])
  const { key } = JSON.parse(run(['keys', 'create', ...where, '--json'])) as { key: string }
  const credentials = { email: `${project}@shop.test`, password: 'a long enough password 2026' }
  run(['users', 'create', credentials.email, '--project', project, '--password-stdin'], credentials.password)
  const origin = new URL(url).origin.replace('127.0.0.1', 'localhost')
  const signedIn = await fetch(`${origin}/platform/v1/sign-in`, {
    method: 'POST',
    headers: { Origin: origin, 'Content-Type': 'application/json' },
    body: JSON.stringify(credentials),
  })
  const cookies = signedIn.headers.getSetCookie().map((one) => one.split(';', 1)[0])
  const uploads = { kind: 'uploads' as const, project, origin, cookie: cookies.join('; ') }
  return {
    'while another lists 100 at a time': { kind: 'lists', url, key },
    'while another imports': { kind: 'imports', project, directory, file },
    'while another uploads what is dense': { ...uploads, content: 'dense' },
    'while another uploads text': { ...uploads, content: 'text' },
  }
}
