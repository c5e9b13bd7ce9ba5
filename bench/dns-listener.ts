import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '../src/platform/clock.ts'
import { createDnsClient } from '../src/platform/dns/client.ts'
import { freePorts } from '../test/harness/free-ports.ts'
import { median, onCore } from './load.ts'
import { type Row, report } from './report.ts'

/**
 * Questions a second over UDP, as a ratio to Knot with the same zone, each server on one core and dnsperf on the
 * other. Ours answers from SQLite, at every question.
 */
const APEX = 'acme.pets.example'
const LABELS = 1000
const ROUNDS = 3
const SECONDS = 3

for (const program of ['knotd', 'dnsperf']) {
  if (spawnSync(program, ['-h'], { stdio: 'ignore' }).error === undefined) continue
  throw new Error('This needs Knot and dnsperf: on Debian, apt-get install knot dnsperf.')
}
const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-knot-'))
const children: ChildProcess[] = []
try {
  const server = new URL('./dns-listener-server.ts', import.meta.url).pathname
  const ours = started([process.execPath, server, APEX, String(LABELS)])
  const [line] = (await once(createInterface(ours.stdout!), 'line')) as [string]
  const { port, texts } = JSON.parse(line) as { port: number; texts: { label: string; text: string }[] }
  const knotPort = await startKnot(texts)
  const kinds = {
    'a challenge that is pending (TXT)': texts.map(({ label }) => `${label}.${APEX} TXT`),
    'a label that nobody has (NXDOMAIN)': texts.map((_, index) => `none-${index}.${APEX} TXT`),
    'the apex (SOA)': [`${APEX} SOA`],
  }
  const rows: Row[] = []
  for (const [what, questions] of Object.entries(kinds)) {
    const file = join(directory, 'questions')
    writeFileSync(file, `${questions.join('\n')}\n`)
    const rates = { ours: [] as number[], knot: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      rates.ours.push(measure(port, file))
      rates.knot.push(measure(knotPort, file))
    }
    rows.push({ what, service: median(rates.ours), other: median(rates.knot) })
  }
  report('Questions a second: DNS listener : Knot', rows)
} finally {
  for (const child of children) {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
  rmSync(directory, { recursive: true, force: true })
}

function started([command, ...args]: string[]): ChildProcess {
  const [program, ...rest] = onCore(0, [command as string, ...args])
  const child = spawn(program as string, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  return child
}

async function startKnot(texts: readonly { label: string; text: string }[]): Promise<number> {
  const [port = 0] = await freePorts(1)
  const records = texts.map(({ label, text }) => `${label} 1 TXT "${text}"`)
  const head = `$ORIGIN ${APEX}.\n@ 3600 SOA ns1.example.net. hostmaster.${APEX}. 1 3600 600 1209600 1\n`
  const apex = '@ 3600 NS ns1.example.net.\n@ 3600 CAA 0 issue ";"\n'
  writeFileSync(join(directory, 'zone'), `${head}${apex}${records.join('\n')}\n`)
  const config = [
    `server:\n  rundir: ${directory}\n  listen: 127.0.0.1@${port}\n  udp-workers: 1\n  tcp-workers: 1`,
    `database:\n  storage: ${directory}`,
    `zone:\n  - domain: ${APEX}\n    file: ${join(directory, 'zone')}`,
    '    zonefile-sync: -1\n    journal-content: none',
  ]
  writeFileSync(join(directory, 'knot.conf'), `${config.join('\n')}\n`)
  started(['knotd', '-c', join(directory, 'knot.conf')])
  const client = createDnsClient({ clock: systemClock, timeoutMs: 200 })
  while ((await client.ask({ address: '127.0.0.1', port }, APEX, 'SOA')).answers.length === 0) await wait(50)
  return port
}

function measure(port: number, file: string): number {
  const args = ['-s', '127.0.0.1', '-p', String(port), '-d', file, '-l', String(SECONDS), '-c', '8', '-q', '100', '-e']
  const [command, ...rest] = onCore(1, ['dnsperf', ...args])
  const text = execFileSync(command as string, rest, { encoding: 'utf8' })
  return Number(/Queries per second:\s+([\d.]+)/.exec(text)?.[1])
}
