import { execFileSync } from 'node:child_process'
import { createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { sideBySide } from './load.ts'
import { report } from './report.ts'
import { type PetstoreServer, startPetstore } from './servers.ts'

/** The last page of a million animals against the first page of a thousand; no answer is a kept one. */
const FEW = 1_000
const MANY = 1_000_000

await using few = await startPetstore()
await using many = await startPetstore()
await addAnimals(few, FEW)
await addAnimals(many, MANY)

const header = (server: PetstoreServer) => ({ Authorization: `Bearer ${server.key}` })
const lastPage = await pageBefore(many, MANY - 20)
const rates = sideBySide({
  first: { url: `${few.url}/pets?limit=20`, headers: header(few), distinct: true },
  last: { url: lastPage, headers: header(many), distinct: true },
})
const [first, last] = [1e6 / (rates.first as number), 1e6 / (rates.last as number)]
report('Deep pages, µs of one core for a page of 20', [
  { what: `first page of ${FEW} / last page of ${MANY}`, service: first, other: last, floor: 1 / 1.2 },
])

async function addAnimals(server: PetstoreServer, count: number): Promise<void> {
  const file = join(server.directory, 'animals.ndjson')
  const stream = createWriteStream(file)
  for (let index = 0; index < count; index++) {
    const status = ['available', 'pending', 'sold'][index % 3]
    if (!stream.write(`{"name":"Animal ${index}","categoryId":${index % 50},"status":"${status}"}\n`)) {
      await new Promise<void>((resolve) => stream.once('drain', () => resolve()))
    }
  }
  stream.end()
  await finished(stream)
  const command = [new URL('../bin/petstore.js', import.meta.url).pathname, 'import', file]
  const options = ['--project', 'petstore', '--environment', 'production']
  const env = { ...process.env, PETSTORE_DATA: server.directory }
  execFileSync(process.execPath, [...command, ...options], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  rmSync(file)
}

/** Follows the list to its end in pages of 100, and answers with the address of the last page of 20. */
async function pageBefore(server: PetstoreServer, position: number): Promise<string> {
  let url = `${server.url}/pets?limit=100`
  for (let seen = 0; ;) {
    const limit = Math.min(100, position - seen)
    const response = await fetch(url.replace(/limit=\d+/, `limit=${limit}`), { headers: header(server) })
    seen += ((await response.json()) as unknown[]).length
    const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    if (!next) throw new Error('The list ended early.')
    url = next.replace(/^http:\/\/localhost/, 'http://127.0.0.1')
    if (seen >= position) return url.replace(/limit=\d+/, 'limit=20')
  }
}
