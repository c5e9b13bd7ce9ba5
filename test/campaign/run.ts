import { parseArgs } from 'node:util'
import { fleetCampaign, type Outcome, sqliteCampaign } from './campaign.ts'

/**
 * `npm run campaign`: faults without a pause, and a checker that believes nothing. Every part prints its seed, with
 * which the same faults come in the same order. `--minutes` ends either part; `--kinds` takes a few faults of the
 * fleet, such as `database killed,instance cut off`.
 */
const REVOKED_WITHIN_MS = 5000
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
    kills: { type: 'string', default: '1000' },
    minutes: { type: 'string' },
    only: { type: 'string' },
    kinds: { type: 'string' },
  },
})
const seed = Number(values.seed)
let isHeld = true

if (values.only !== 'fleet') {
  console.log(`SQLite, ${values.kills} times killed, seed ${seed}`)
  tell(await sqliteCampaign(seed, { kills: Number(values.kills), minutes: Number(values.minutes ?? Infinity) }))
}
if (values.only !== 'sqlite') {
  const minutes = Number(values.minutes ?? 30)
  const kinds = values.kinds?.split(',')
  console.log(`Three instances on PostgreSQL, ${minutes} minutes of faults, seed ${seed}`)
  tell(await fleetCampaign(seed, { minutes, ...(kinds && { kinds }) }))
}
process.exitCode = isHeld ? 0 : 1

function tell({ verdict, figures, seconds }: Outcome): void {
  const { acknowledged, unanswered, renames, orders, sights, lost, twice, violations } = verdict
  console.log(`  ${Math.round(seconds)} s: ${acknowledged} animals acknowledged, ${unanswered} never answered,`)
  console.log(`  ${renames} renamed, ${orders} orders, ${sights} times an animal was read`)
  console.log(`  lost ${lost}, twice ${twice}, other violations ${violations.length}`)
  const accepted = Math.round(verdict.revokedYetAcceptedMs)
  console.log(`  ${verdict.revocations} keys revoked, the last use accepted was sent ${accepted} ms after`)
  for (const { kind, times, othersPausedMs, recoveryMs } of figures)
    console.log(
      `  ${kind.padEnd(20)} ${String(times).padStart(5)} ×   others paused ${seconds1(othersPausedMs)} s   ` +
        `back after ${seconds1(recoveryMs)} s`,
    )
  for (const violation of violations.slice(0, 20)) console.log(`  ✗ ${violation}`)
  if (violations.length > 0 || accepted > REVOKED_WITHIN_MS) isHeld = false
}

function seconds1(ms: number): string {
  return (ms / 1000).toFixed(1).padStart(5)
}
