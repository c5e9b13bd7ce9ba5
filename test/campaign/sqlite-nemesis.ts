import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { LimitedDisk } from '../faults/limited-disk.ts'
import type { ServiceProcess } from '../harness/service-process.ts'
import type { Fault } from './faults.ts'
import type { Pace } from './pace.ts'
import type { Random } from './random.ts'

interface SqliteNemesisNeeds {
  readonly service: ServiceProcess
  readonly disk: LimitedDisk
  readonly random: Random
  readonly pace: Pace
  readonly faults: Fault[]
}

/** Of every hundred faults this many are kills; the others fill the disk or let syncing fail. */
const KILLS_OF_HUNDRED = 94

export interface SqliteOptions {
  readonly kills: number
  /** No more faults begin after that. */
  readonly minutes: number
}

/** Does one thing after the other to a service on SQLite, and mends each before the next. */
export async function tormentSqlite(needs: SqliteNemesisNeeds, { kills, minutes }: SqliteOptions): Promise<void> {
  const { random, faults, service, pace } = needs
  const endsAt = performance.now() + minutes * 60_000
  for (let killed = 0; killed < kills && performance.now() < endsAt;) {
    await pace.rest()
    const turn = random.below(100)
    const kind = turn < KILLS_OF_HUNDRED ? 'kill -9' : turn % 2 === 0 ? 'disk full' : 'fsync fails'
    const start = performance.now()
    if (kind === 'kill -9') {
      killed++
      await service.restart()
    } else if (kind === 'disk full') await fillDisk(needs)
    else await failSyncs(needs)
    faults.push({ kind, victim: undefined, start, end: performance.now() })
  }
}

async function fillDisk({ disk, service, random }: SqliteNemesisNeeds): Promise<void> {
  disk.fill(service)
  await wait(300 + random.below(700))
  disk.free(service)
}

/** The kernel answers the service's syncs with EIO for a moment, and the service may end itself over it. */
async function failSyncs({ service, random }: SqliteNemesisNeeds): Promise<void> {
  const inject = ['-e', 'trace=fsync,fdatasync', '-e', 'inject=fsync,fdatasync:error=EIO:when=1..20']
  const tracer = spawn('strace', ['-f', '-qq', '-o', '/dev/null', '-p', String(service.pid), ...inject])
  const ended = once(tracer, 'exit')
  await wait(500 + random.below(500))
  tracer.kill('SIGINT')
  await ended
  if (!(await isRunning(service.pid))) await service.restart()
}

async function isRunning(pid: number): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]).catch(() => ({ stdout: 'Z' }))
  return !stdout.startsWith('Z')
}
