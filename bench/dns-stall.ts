import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { AttackerOrder } from './dns-attacker.ts'
import { median } from './load.ts'
import { judge } from './report.ts'
import { type PetstoreServer, START_COMMAND, startPetstore } from './servers.ts'
import { zipBytes } from '../test/deploys/archive-bytes.ts'

/**
 * One tenant has a nameserver that answers with 64 KiB of packed names, twelve domains there, and presses Verify at
 * all of them without pause. What does another tenant notice? Slices with and without it take turns.
 */
const RATIO_MAX = 1.5
const ROUNDS = 6
const SLICE_MS = 8000
/** Who presses without pause begins once, not every few seconds: a slice comes when it has gone on for a while. */
const PRESSED_BEFORE_MS = 3000
const EVERY_MS = 4

const attacker = fork(new URL('./dns-attacker.ts', import.meta.url))
const [{ port }] = (await once(attacker, 'message')) as [{ port: number }]
try {
  await using petstore = await startPetstore({ PETSTORE_SANDBOX: 'off', PETSTORE_DNS: `127.0.0.1:${port}` })
  const order = await prepareAttack(petstore)
  const key = neighbourOf(petstore)
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const slices: Record<'calm' | 'attacked', number[][]> = { calm: [], attacked: [] }
  await slice(petstore, agent, key)
  for (let round = 0; round < ROUNDS; round++) {
    slices.calm.push(await slice(petstore, agent, key))
    attacker.send(order)
    await wait(PRESSED_BEFORE_MS)
    slices.attacked.push(await slice(petstore, agent, key))
    attacker.send({ kind: 'rest' } satisfies AttackerOrder)
    await once(attacker, 'message')
    // What was asked for last has been looked at.
    await wait(1000)
  }
  agent.destroy()
  const [calm, attacked] = [slices.calm, slices.attacked].map((each) => ({
    p99: median(each.map((latencies) => percentile(latencies, 0.99))),
    longest: Math.max(...each.flat()),
  }))
  console.log('\nAnother tenant, while Verify is pressed without pause against a hostile nameserver')
  const shown = (ms: number) => `${ms.toFixed(2)} ms`
  console.log(`  p99      ${shown(attacked!.p99)} : ${shown(calm!.p99)} without`)
  console.log(`  longest  ${shown(attacked!.longest)} : ${shown(calm!.longest)} without`)
  const ratio = attacked!.p99 / calm!.p99
  judge(`p99 is ${ratio.toFixed(2)} times what it is without, at most ${RATIO_MAX}`, ratio <= RATIO_MAX)
} finally {
  attacker.kill()
}

/** An owner with a session, and twelve domains whose nameserver is hostile. */
async function prepareAttack(petstore: PetstoreServer): Promise<AttackerOrder> {
  const origin = new URL(petstore.url).origin.replace('127.0.0.1', 'localhost')
  const password = 'a long enough password 2026'
  petstoreCommand(petstore, ['users', 'create', 'eve@evil.test', '--project', 'petstore', '--password-stdin'], password)
  const headers = { Origin: origin, 'Content-Type': 'application/json' }
  const post = (path: string, body: unknown, cookie = '') =>
    fetch(`${origin}/platform/v1${path}`, {
      method: 'POST',
      headers: { ...headers, cookie },
      body: JSON.stringify(body),
    })
  const signedIn = await post('/sign-in', { email: 'eve@evil.test', password })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  const hostnames = Array.from({ length: 12 }, (_, index) => `shop-${index}.evil.test`)
  const body = new Uint8Array(zipBytes([{ name: 'index.html', content: '<h1>Evil</h1>' }]))
  const archive = `${origin}/platform/v1/projects/petstore/deploys/archive`
  const type = { Origin: origin, 'Content-Type': 'application/zip', cookie }
  const deployed = await fetch(archive, { method: 'POST', headers: type, body })
  if (deployed.status !== 201) throw new Error(`The site was not deployed: ${await deployed.text()}`)
  for (const hostname of hostnames) {
    const added = await post('/projects/petstore/domains', { hostname }, cookie)
    if (added.status !== 201) throw new Error(`${hostname} was not added: ${await added.text()}`)
  }
  return { kind: 'attack', origin, cookie, path: '/platform/v1/projects/petstore/domains', hostnames }
}

function neighbourOf(petstore: PetstoreServer): string {
  petstoreCommand(petstore, ['projects', 'create', 'neighbour', '--plan', 'pro'])
  const where = ['--project', 'neighbour', '--environment', 'production']
  const minted = petstoreCommand(petstore, ['keys', 'create', ...where, '--json'])
  return (JSON.parse(minted) as { key: string }).key
}

function petstoreCommand({ directory }: PetstoreServer, words: string[], input = ''): string {
  const [node, script] = START_COMMAND as [string, string]
  const env = { ...process.env, PETSTORE_DATA: directory }
  return execFileSync(node, [script, ...words], { env, input, encoding: 'utf8' })
}

/** Requests at a steady pace, whatever becomes of the earlier ones; each is answered anew. */
async function slice({ url }: PetstoreServer, agent: Agent, key: string): Promise<number[]> {
  const latencies: Promise<number>[] = []
  const end = performance.now() + SLICE_MS
  for (let count = 0; performance.now() < end; count++) {
    latencies.push(timed(`${url}/pets?limit=20&n=${count}`, agent, key))
    await wait(EVERY_MS)
  }
  return Promise.all(latencies)
}

function timed(url: string, agent: Agent, key: string): Promise<number> {
  const from = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { Authorization: `Bearer ${key}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`The neighbour got ${response.statusCode}.`))
      response.resume().on('end', () => resolve(performance.now() - from))
    })
    sent.on('error', reject)
    sent.end()
  })
}

function percentile(values: number[], part: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] as number
}
