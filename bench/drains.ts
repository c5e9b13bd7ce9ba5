import { setTimeout as wait } from 'node:timers/promises'
import { startLoad } from '../test/faults/drain-load.ts'
import { startServiceProcess } from '../test/harness/service-process.ts'
import { until } from '../test/harness/until.ts'

/**
 * Stops the service again and again under full load and counts requests without an answer:
 * `node bench/drains.ts 50`, and with two workers `node bench/drains.ts 50 2`.
 */
const drains = Number(process.argv[2] ?? 50)
const workers = process.argv[3] ?? '1'
const WORK_MS = 300

await using service = await startServiceProcess({ environment: { PETSTORE_WORKERS: workers } })
const total = { answered: 0, refused: 0, cut: [] as string[] }
for (let drain = 1; drain <= drains; drain++) {
  const load = startLoad(service)
  await until('every kind of request is answered', load.isUnderWay)
  await wait(WORK_MS)
  const startedAt = performance.now()
  const { code } = await service.stop()
  const ms = Math.round(performance.now() - startedAt)
  const { answers, refused, cut } = await load.ended
  const answered = Object.values(answers).reduce((sum, count) => sum + count, 0)
  console.log(
    `${drain}: ${answered} answered, ${refused} refused, ${cut.length} cut, ended with ${code} in ${ms} ms`,
    cut,
  )
  total.answered += answered
  total.refused += refused
  total.cut.push(...cut)
  await service.restart()
}
console.log(
  `${drains} drains: ${total.answered} answered, ${total.refused} refused as not processed, ${total.cut.length} cut`,
)
