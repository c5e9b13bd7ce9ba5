import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { animals, gets, importInto, mixed, NEW_PET, pagesOf } from './animals.ts'
import { inTurns, type Load, type Measured, median } from './load.ts'
import { report, type Row } from './report.ts'
import { installPeers, startBare, startFastify, startPetstore } from './servers.ts'

/**
 * No two requests alike, so that no answer is a kept one: 50,000 animals, against a bare server that writes the same
 * bytes, and against an hour's work with Fastify and node:sqlite. The last row is the one question that is kept.
 */
const ROUNDS = 7

installPeers()
await using petstore = await startPetstore()
importInto(petstore)
await using fastify = await startFastify()
insertInto(join(fastify.directory, 'pets.sqlite'))
const pages = await pagesOf(petstore)
await using bare = await startBare(petstore, [
  { method: 'GET', path: '/pets/', query: '25000' },
  { method: 'GET', path: '/pets', query: pages[1234]?.slice('/pets'.length) as string },
  { method: 'POST', path: '/pets', body: NEW_PET },
])

const rows: Row[] = []
const processor: string[] = []
compare('get a random animal', gets, gets, { bare: 0.62, fastify: 1.2 })
compare('list 20, never asked before', pages, peerPages(), { bare: 0.36, fastify: 1.4 })
compare('mix 45 / 45 / 10', mixed(pages), mixed(peerPages()), { bare: 0.4, fastify: 1.5 })
compare('the same list again (kept)', undefined, undefined, { bare: 0.8, fastify: 3 })
report(`No two requests alike: ${animals.length.toLocaleString('en')} animals, 64 connections, one core`, rows)
console.log(`\n  The same by processor time for each request (µs), which other work on the machine hardly changes`)
console.log(processor.join('\n'))

function compare(
  what: string,
  targets: readonly string[] | undefined,
  peerTargets: readonly string[] | undefined,
  floors: { bare: number; fastify: number },
): void {
  if (process.argv[2] !== undefined && !what.includes(process.argv[2])) return
  const headers = { Authorization: `Bearer ${petstore.key}`, 'Content-Type': 'application/json' }
  const load = (server: Pick<Load, 'url' | 'server'>, prefix: string, paths = targets): Load => ({
    ...server,
    headers,
    url: `${server.url}${prefix}/pets`,
    // wrk would send it with the question that is asked again, too.
    ...(paths ? { body: NEW_PET, targets: paths.map((path) => (path === 'POST' ? path : prefix + path)) } : {}),
  })
  const slices = inTurns(
    {
      petstore: load({ url: new URL(petstore.url).origin, server: petstore.process }, '/v1'),
      bare: load({ url: bare.url, server: bare.process }, '/v1'),
      fastify: load({ url: fastify.url, server: fastify.process }, '', peerTargets),
    },
    ROUNDS,
  )
  const rate = (of: Measured[]) => median(of.map(({ perSecond }) => perSecond))
  const [service, yardstick, peer] = [rate(slices.petstore), rate(slices.bare), rate(slices.fastify)]
  rows.push({ what: `${what} / bare node:http`, service, other: yardstick, floor: floors.bare })
  rows.push({ what: `${what} / Fastify + node:sqlite`, service, other: peer, floor: floors.fastify })
  const spent = (of: Measured[]) => median(of.map(({ processorUs }) => processorUs as number))
  const [ours, least, theirs] = [spent(slices.petstore), spent(slices.bare), spent(slices.fastify)]
  const compared = (name: string, other: number) => `${name} ${other.toFixed(0)} = ${(other / ours).toFixed(2)}`
  processor.push(`  ${what.padEnd(28)} ${ours.toFixed(0)}; ${compared('bare', least)}; ${compared('Fastify', theirs)}`)
}

/** As many pages of the same kinds, by the id behind which they begin. */
function peerPages(): string[] {
  return pages.map((path) => {
    const status = /&status=\w+/.exec(path)?.[0] ?? ''
    return `/pets?limit=20${status}&after=${Math.floor(Math.random() * animals.length)}`
  })
}

function insertInto(file: string): void {
  using database = new DatabaseSync(file)
  database.exec('begin')
  const insert = database.prepare('insert into pets (name, categoryId, status) values (?, ?, ?)')
  for (const { name, categoryId, status } of animals) insert.run(name, categoryId, status)
  database.exec('commit')
}
