import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openPostgres } from '../harness/postgres.ts'
import { knockAtDoor, openDoor } from './front-door.ts'
import { dearRuns, fuzz } from './fuzz.ts'
import { parsers } from './parsers.ts'

/**
 * `npm run abuse`: hostile inputs in large numbers. Every part prints its seed, with which the same inputs come in
 * the same order. `--only` takes the beginning of a part's name, or `matrix`, or `strangers`.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
    inputs: { type: 'string', default: '1000000' },
    archives: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '20000' },
    strangers: { type: 'string', default: '100000' },
    only: { type: 'string', default: '' },
  },
})
const seed = Number(values.seed)
/** Of processor time; most inputs cost microseconds. */
const SLOWEST_MS_MAX = 100
const HEAP_RATIO_MAX = 1.2
let isHeld = true

const spoolDirectory = mkdtempSync(join(tmpdir(), 'petstore-abuse-'))
try {
  for (const parser of parsers(spoolDirectory)) {
    if (!parser.name.startsWith(values.only)) continue
    const count = Number(parser.name === 'archives' ? values.archives : values.inputs)
    console.log(`${count} ${parser.name}, seed ${seed}`)
    const { taken, refused, troubles, slowest, heapRatio } = await fuzz(parser, seed, count)
    for (const trouble of troubles) console.log(`  ✗ ${trouble}`)
    console.log(`  ${taken} taken, ${refused} refused, the slowest in ${slowest.ms.toFixed(1)} ms`)
    if (slowest.ms > SLOWEST_MS_MAX) console.log(`  ✗ ${slowest.input}`)
    console.log(`  memory ${heapRatio.toFixed(2)} times what it was after the first tenth`)
    const dear = await dearRuns(parser)
    for (const run of dear) console.log(`  ✗ ${run}`)
    judge(troubles.length + dear.length === 0 && slowest.ms <= SLOWEST_MS_MAX && heapRatio <= HEAP_RATIO_MAX)
  }
} finally {
  rmSync(spoolDirectory, { recursive: true })
}

for (const engine of ['SQLite', 'PostgreSQL']) {
  await using server = engine === 'PostgreSQL' ? await openPostgres() : undefined
  await using door = await openDoor(await server?.createDatabase())
  for (const part of door.parts) {
    if (!part.name.startsWith(values.only)) continue
    console.log(`${values.requests} ${part.name} on ${engine}, seed ${seed}`)
    const { statuses, troubles } = await knockAtDoor(door, part, seed, Number(values.requests))
    for (const trouble of troubles) console.log(`  ✗ ${trouble}`)
    const answered = [...statuses].sort(([one], [other]) => one - other)
    console.log(`  ${answered.map(([status, count]) => `${status} × ${count}`).join(', ')}`)
    judge(troubles.length === 0)
  }
}

if ('matrix'.startsWith(values.only)) {
  console.log('Every route of the dashboard by every role')
  const matrix = join(import.meta.dirname, '../platform-api/authorisation.test.ts')
  judge(spawnSync(process.execPath, ['--test', '--test-reporter=dot', matrix], { stdio: 'inherit' }).status === 0)
}

if ('strangers'.startsWith(values.only)) {
  const benchmark = join(import.meta.dirname, '../../bench/strangers.ts')
  const counts = ['--seed', String(seed), '--requests', values.strangers]
  judge(spawnSync(process.execPath, [benchmark, ...counts], { stdio: 'inherit' }).status === 0)
}
process.exitCode = isHeld ? 0 : 1

function judge(holds: boolean): void {
  console.log(holds ? '  ✓' : '  ✗')
  isHeld &&= holds
}
