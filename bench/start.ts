import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePorts } from '../test/harness/free-ports.ts'
import { median } from './load.ts'
import { processorMs } from './process-figures.ts'
import { judge } from './report.ts'
import { START_COMMAND } from './servers.ts'

/** From the start of the process to the first answer, on an empty directory and on one that is there already. */
const STARTS = 5
const START_MS_MAX = 1000
const PROCESSOR_MS_MAX = 750

interface Start {
  ms: number
  /** Of all threads; what else the machine does adds little to it. */
  processor: number
}

const first: Start[] = []
const later: Start[] = []
// Once before: the first start after an installation compiles everything.
await startTwice([], [])
for (let start = 0; start < STARTS; start++) await startTwice(first, later)

console.log('\nStart to first answer, median of five')
for (const [what, times] of [
  ['on an empty directory', first],
  ['on an existing database', later],
] as const) {
  const ms = median(times.map((time) => time.ms))
  judge(`${what.padEnd(24)} ${ms.toFixed(0)} ms (under ${START_MS_MAX})`, ms < START_MS_MAX)
  const processor = median(times.map((time) => time.processor))
  judge(`  processor time         ${processor.toFixed(0)} ms (under ${PROCESSOR_MS_MAX})`, processor < PROCESSOR_MS_MAX)
}

async function startTwice(onEmpty: Start[], onExisting: Start[]): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-start-'))
  onEmpty.push(await timeStart(directory))
  onExisting.push(await timeStart(directory))
  rmSync(directory, { recursive: true })
}

async function timeStart(directory: string): Promise<Start> {
  const [production, staging, admin, https] = (await freePorts(4)) as [number, number, number, number]
  const [command, ...parameters] = START_COMMAND as [string, ...string[]]
  const startedAt = performance.now()
  const child = spawn(command, parameters, {
    stdio: 'ignore',
    env: {
      ...process.env,
      PETSTORE_DATA: directory,
      PETSTORE_BASE_URL: `http://localhost:${production}/v1`,
      PETSTORE_STAGING_URL: `http://localhost:${staging}/v1`,
      PETSTORE_ADMIN_PORT: String(admin),
      PETSTORE_HTTPS_PORT: String(https),
    },
  })
  const exited = once(child, 'exit')
  try {
    while (!(await accepts(production))) await wait(2)
    const answer = await fetch(`http://127.0.0.1:${production}/v1/openapi.json`)
    if (!answer.ok) throw new Error(`The first answer was ${answer.status}.`)
    return { ms: performance.now() - startedAt, processor: processorMs(child) }
  } finally {
    child.kill('SIGTERM')
    await exited
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' })
  const opened = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return opened
}
