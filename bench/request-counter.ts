import { RequestCounter } from '../src/features/requests/counter.ts'
import { systemClock } from '../src/platform/clock.ts'
import type { Caller } from '../src/platform/http/operation.ts'
import type { Storage } from '../src/platform/storage/storage.ts'
import { judge } from './report.ts'

/** What counting adds to a request, in time of the processor: 50 keys with 8 operations, and sites with five hosts. */
const ROUNDS = 4_000_000
const MICROSECONDS_MAX = 2

const storage = { write: async () => undefined } as unknown as Storage
const callers = Array.from({ length: 50 }, (_, at): Caller => {
  return { keyId: `key_${at}`, projectId: at, environment: 'production', scopes: [], tenant: `${at} production` }
})
const operations = Array.from({ length: 8 }, (_, at) => `operation${at}`)
const hosts = Array.from({ length: 5 }, (_, at) => `host${at}.example.org`)
const counter = new RequestCounter(storage, systemClock)

const call = (at: number) =>
  counter.call(callers[at % 50] as Caller, operations[at % 8] as string, at % 100 === 0, (at % 1000) / 10)
const visit = (at: number) =>
  counter.visit(at % 50, hosts[at % 5] as string, at % 20 === 0 ? 404 : 200, (at % 1000) / 100)
const failed = (at: number) =>
  counter.failed(callers[at % 50] as Caller, operations[at % 8] as string, 400, 'invalid_request', 'req_1')

console.log('\nCounting requests')
for (const [what, count] of Object.entries({ call, visit, failed })) {
  for (let at = 0; at < ROUNDS / 10; at++) count(at)
  const before = process.cpuUsage()
  for (let at = 0; at < ROUNDS; at++) count(at)
  const { user, system } = process.cpuUsage(before)
  const microseconds = (user + system) / ROUNDS
  judge(
    `${what}: ${microseconds.toFixed(3)} µs, of ${MICROSECONDS_MAX} µs at the most`,
    microseconds < MICROSECONDS_MAX,
  )
}
await counter[Symbol.asyncDispose]()
