import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request, type RequestOptions } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { START_COMMAND } from './servers.ts'

/** What another tenant does, without pause, until it is stopped. */
export type NeighbourOrder =
  | { kind: 'lists'; url: string; key: string }
  | { kind: 'imports'; project: string; directory: string; file: string }
  | { kind: 'uploads'; content: 'dense' | 'text'; project: string; origin: string; cookie: string }

const LISTS_AT_ONCE = 8
const UPLOADS_AT_ONCE = 2
const UPLOAD_BYTES = 1_000_000

/** From a network of its own, so that it takes no connections from those that are measured. */
const connection: RequestOptions = { agent: new Agent({ keepAlive: true }), localAddress: '127.9.0.1' }
const order = JSON.parse(process.argv[2] as string) as NeighbourOrder & { afterMs: number }
let importing: ChildProcess | undefined
process.on('SIGTERM', () => {
  importing?.kill()
  process.exit(0)
})
console.log('ready')
// Before the others come it would have the whole service for itself.
await wait(order.afterMs)
if (order.kind === 'lists') await Promise.all(Array.from({ length: LISTS_AT_ONCE }, () => list(order)))
else if (order.kind === 'uploads') await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, () => upload(order)))
else await importAgain(order)

async function list({ url, key }: NeighbourOrder & { kind: 'lists' }): Promise<never> {
  const headers = { Authorization: `Bearer ${key}` }
  for (let count = 0; ; count++) await answered(`${url}/pets?limit=100&n=${process.pid}-${count}`, { headers }, 200)
}

async function upload(order: NeighbourOrder & { kind: 'uploads' }): Promise<never> {
  const { project, origin, cookie } = order
  while (true) {
    const content = order.content === 'text' ? text() : randomBytes(UPLOAD_BYTES)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const url = `${origin}/platform/v1/projects/${project}`
    const headers = { Origin: origin, Cookie: cookie }
    const send = () => ask(`${url}/blobs/${sha256}`, { headers: lengthOf(content, headers), method: 'PUT' }, content)
    const status = await send()
    if (status === 204) continue
    if (status !== 409) throw new Error(`An upload was answered with ${status}.`)
    // As much waits as a deploy may hold: a list of what comes next makes room for it.
    const list = Buffer.from(JSON.stringify({ files: [{ path: 'index.html', sha256, bytes: content.length }] }))
    const ofJson = lengthOf(list, { ...headers, 'Content-Type': 'application/json' })
    await answered(`${url}/deploys`, { headers: ofJson, method: 'POST' }, 200, list)
    await send()
  }
}

/** As markup is, of which a sixth is left. */
function text(): Buffer {
  const lines = Array.from(
    { length: 20_000 },
    (_, line) => `<li id="${randomInt(1e9)}">Animal ${line} of the store</li>\n`,
  )
  return Buffer.from(lines.join('').slice(0, UPLOAD_BYTES))
}

async function importAgain({ project, directory, file }: NeighbourOrder & { kind: 'imports' }): Promise<never> {
  const [node, script] = START_COMMAND as [string, string]
  const words = ['import', file, '--again', '--project', project, '--environment', 'staging']
  while (true) {
    importing = spawn(node, [script, ...words], { env: { ...process.env, PETSTORE_DATA: directory }, stdio: 'ignore' })
    const [code] = await once(importing, 'exit')
    if (code !== 0) throw new Error(`An import ended with ${code}.`)
  }
}

function lengthOf(body: Buffer, headers: Record<string, string>): Record<string, string> {
  return { ...headers, 'Content-Length': String(body.length) }
}

async function answered(url: string, options: RequestOptions, status: number, body?: Buffer): Promise<void> {
  const given = await ask(url, options, body)
  if (given !== status) throw new Error(`${url} was answered with ${given}.`)
}

function ask(url: string, options: RequestOptions, body?: Buffer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...connection, ...options }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
