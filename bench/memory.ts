import { measure } from './load.ts'
import { residentMb } from './process-figures.ts'
import { restart, startPetstore } from './servers.ts'

/** Resident memory over a million requests: nine lists, then one create, and so on. */
const REQUESTS = 1_000_000
const RSS_MB_MAX = 150
/** Between the first and the last hundred thousand: the garbage collector's own breathing, not growth. */
const GROWTH_MB_MAX = 15

// Not the first start: that one compiles everything, makes the root certificate, and keeps 30 MB of what this needed.
await using petstore = await restart(await startPetstore())
const headers = { Authorization: `Bearer ${petstore.key}`, 'Content-Type': 'application/json' }
const create = {
  url: `${petstore.url}/pets`,
  headers,
  method: 'POST',
  body: '{"name":"Rex","categoryId":1}',
  seconds: 1,
} as const
const list = { url: `${petstore.url}/pets`, headers, seconds: 2 }
measure({ ...create, connections: 8 })

let done = 0
let nextReading = 100_000
const readings: number[] = []
while (done < REQUESTS) {
  done += measure(create).requests
  for (let slice = 0; slice < 4; slice++) done += measure(list).requests
  if (done < nextReading) continue
  readings.push(residentMb(petstore.process))
  console.log(`${done.toLocaleString('en').padStart(10)} requests  ${readings.at(-1)?.toFixed(1)} MB`)
  nextReading = Math.floor(done / 100_000) * 100_000 + 100_000
}

const [first, last] = [readings[0] as number, readings.at(-1) as number]
const kept = last < RSS_MB_MAX && last - first < GROWTH_MB_MAX
console.log(
  `\nMemory: ${first.toFixed(1)} MB → ${last.toFixed(1)} MB ` +
    `(under ${RSS_MB_MAX}, growth under ${GROWTH_MB_MAX}) ${kept ? '✓' : '✗'}`,
)
if (!kept) process.exitCode = 1
