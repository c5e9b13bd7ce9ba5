import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request, type RequestOptions } from 'node:http'
import { setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { START_COMMAND } from './servers.ts'

/** What another tenant does, without pause, until it is stopped. Behind the load that is measured: see `nice`. */
export type NeighbourOrder =
  | { kind: 'lists'; url: string; key: string }
  | { kind: 'imports'; project: string; directory: string; file: string }
  | { kind: 'uploads'; project: string; origin: string; cookie: string }

const LISTS_AT_ONCE = 8
const UPLOADS_AT_ONCE = 2
const UPLOAD_BYTES = 1_000_000

setPriority(19)
/** From a network of its own, so that it takes no connections from those that are measured. */
const connection: RequestOptions = { agent: new Agent({ keepAlive: true }), localAddress: '127.9.0.1' }
const order = JSON.parse(process.argv[2] as string) as NeighbourOrder & { afterMs: number }
let importing: ChildProcess | undefined
process.on('SIGTERM', () => {
  importing?.kill()
  process.exit(0)
})
console.log('ready')
// Before the others come it would have the whole service for itself, and soon as much as a deploy may hold.
await wait(order.afterMs)
if (order.kind === 'lists') await Promise.all(Array.from({ length: LISTS_AT_ONCE }, () => list(order)))
else if (order.kind === 'uploads') await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, () => upload(order)))
else await importAgain(order)

async function list({ url, key }: NeighbourOrder & { kind: 'lists' }): Promise<never> {
  const headers = { Authorization: `Bearer ${key}` }
  for (let count = 0; ; count++) await answered(`${url}/pets?limit=100&n=${process.pid}-${count}`, { headers }, 200)
}

async function upload({ project, origin, cookie }: NeighbourOrder & { kind: 'uploads' }): Promise<never> {
  while (true) {
    const content = randomBytes(UPLOAD_BYTES)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const headers = { Origin: origin, Cookie: cookie, 'Content-Length': String(content.length) }
    const url = `${origin}/platform/v1/projects/${project}/blobs/${sha256}`
    await answered(url, { headers, method: 'PUT' }, 204, content)
  }
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

function answered(url: string, options: RequestOptions, status: number, body?: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...connection, ...options }, (response) => {
      if (response.statusCode !== status) reject(new Error(`${url} was answered with ${response.statusCode}.`))
      response.resume().on('end', resolve)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
