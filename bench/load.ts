import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Process, processorMs } from './process-figures.ts'

export interface Load {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  connections?: number
  seconds?: number
  /** Makes each request's URL differ, so that no answer is a kept one. */
  distinct?: boolean
  /** Paths, or `POST` for the body: one of them at random for each request, and no two requests alike. */
  targets?: readonly string[]
  /** Files of many hosts, one after the other. */
  visits?: readonly Visit[]
  /** All connections are there before the first request, which waits for this long; see `openFirst`. */
  openingMs?: number
  /** The server has all cores, and so the load gets what it leaves. */
  isBeside?: boolean
  /** Whose processor time is counted. */
  server?: Process
}

export interface Visit {
  host: string
  path: string
  /** Of bytes, as the header has it. */
  range?: string
}

export interface Measured {
  perSecond: number
  requests: number
  failures: number
  p50Ms: number
  p99Ms: number
  /** Microseconds of the server's processor time for each request, where the server was named. */
  processorUs: number | undefined
}

export const hasWrk = spawnSync('wrk', ['-v']).error === undefined
const scripts = mkdtempSync(join(tmpdir(), 'petstore-bench-'))
const pinned = spawnSync('taskset', ['-V']).error === undefined

/** The server has the first core and the load the second, so that they do not take time from each other. */
export const onCore = (core: 0 | 1, command: string[]): string[] =>
  pinned ? ['taskset', '-c', String(core), ...command] : command

/** For one that runs on another: all of its threads. */
export function moveToCore(core: 0 | 1, { pid }: { pid?: number | undefined }): void {
  if (pinned) execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)])
}

const yields = spawnSync('chrt', ['-V']).error === undefined

/**
 * Gets what the load leaves of its core, at once and to the last moment: with a low priority alone it would keep the
 * core for some milliseconds at a time, and the load would wait, which looks like a server that is slow.
 */
export const whenIdle = (command: string[]): string[] => (yields ? ['chrt', '--idle', '0', ...command] : command)

export function measure(load: Load): Measured {
  const { server } = load
  const before = server && processorMs(server)
  const measured = hasWrk ? withWrk(load) : withAutocannon(load)
  if (server === undefined || before === undefined) return { ...measured, processorUs: undefined }
  return { ...measured, processorUs: ((processorMs(server) - before) * 1000) / measured.requests }
}

type Counted = Omit<Measured, 'processorUs'>

/** Of several servers at once, each with a load of its own: how many requests they answer together. */
export async function perSecondTogether(loads: readonly Load[]): Promise<number> {
  const reports = await Promise.all(
    loads.map((load) => {
      const [command, ...words] = wrkCommand(load) as [string, ...string[]]
      return promisify(execFile)(command, words)
    }),
  )
  return reports.map(({ stdout }) => counted(stdout).perSecond).reduce((one, other) => one + other)
}

function withWrk(load: Load): Counted {
  const [command, ...words] = wrkCommand(load) as [string, ...string[]]
  return counted(execFileSync(command, words, { encoding: 'utf8' }))
}

function wrkCommand(load: Load): string[] {
  const { url, method = 'GET', headers = {}, body, connections = 64, seconds = 2, distinct, targets, visits } = load
  const { pathname, search, port } = new URL(url)
  const script = join(scripts, `request-${port}.lua`)
  const vary = `local n = 0
request = function() n = n + 1; return wrk.format(nil, "${pathname}${search || '?'}&n=" .. n) end
`
  const send = `wrk.method = "${method}"\n${body ? `wrk.body = ${JSON.stringify(body)}\n` : ''}`
  const ask = visits ? inOrder(visits) : targets ? atRandom(targets, load) : distinct ? vary : ''
  writeFileSync(script, send + ask + (load.openingMs ? openFirst(connections, load.openingMs) : ''))
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const wrk = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', script, ...given, url]
  return load.isBeside ? wrk : onCore(1, wrk)
}

function counted(report: string): Counted {
  const number = (pattern: RegExp) => Number(pattern.exec(report)?.[1] ?? 0)
  return {
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    requests: number(/(\d+) requests in/),
    failures: number(/Non-2xx or 3xx responses: (\d+)/),
    p50Ms: milliseconds(/ 50%\s+(\S+)/.exec(report)?.[1]),
    p99Ms: milliseconds(/ 99%\s+(\S+)/.exec(report)?.[1]),
  }
}

/** wrk says `812.00us`, `5.31ms` or `1.02s`. */
function milliseconds(shown = ''): number {
  const unit = shown.endsWith('us') ? 0.001 : shown.endsWith('ms') ? 1 : 1000
  return Number.parseFloat(shown) * unit
}

/**
 * A busy server lets a crowd in a few at a turn (`SOCKETS` in `src/edge/ports.ts`): a thousand would come in all
 * through a slice, and the first of them would meet a server with little to do.
 */
function openFirst(connections: number, openingMs: number): string {
  return `local unopened = ${connections}
delay = function()
  if unopened == 0 then return 0 end
  unopened = unopened - 1
  return ${openingMs}
end
`
}

/** Requests are written once, so that the load costs little. */
function inOrder(visits: readonly Visit[]): string {
  const file = join(scripts, 'visits.txt')
  writeFileSync(file, visits.map(({ host, path, range = '-' }) => `${host} ${path} ${range}`).join('\n'))
  return `local requests, n = {}, 0
init = function()
  for line in io.lines("${file}") do
    local host, path, range = line:match("(%S+) (%S+) (%S+)")
    local headers = { Host = host }
    if range ~= "-" then headers.Range = range end
    requests[#requests + 1] = wrk.format("GET", path, headers)
  end
end
request = function() n = n % #requests + 1; return requests[n] end
`
}

let asked = 0

/**
 * A billion requests to each slice: no number comes twice. Written out here, because what wrk's own `format` does for
 * each request costs as much as a small answer, and gives a GET a length of its body, which clients do not.
 */
function atRandom(targets: readonly string[], { url, headers = {}, body = '' }: Load): string {
  const { host, pathname, port } = new URL(url)
  const file = join(scripts, `targets-${port}.txt`)
  const lines = targets.map((path) => (path === 'POST' ? path : `GET ${path}${path.includes('?') ? '&' : '?'}n=`))
  writeFileSync(file, lines.join('\n'))
  const head = (given: Record<string, string>) => {
    const fields = Object.entries({ Host: host, ...given }).map(([name, value]) => `${name}: ${value}\r\n`)
    return ` HTTP/1.1\r\n${fields.join('')}\r\n`
  }
  const { 'Content-Type': _, ...ofGet } = headers
  const post = `POST ${pathname}${head({ ...headers, 'Content-Length': String(body.length) })}${body}`
  return `local targets, n, post, rest = {}, ${++asked * 1e9}, ${JSON.stringify(post)}, ${JSON.stringify(head(ofGet))}
for line in io.lines("${file}") do targets[#targets + 1] = line end
math.randomseed(${asked})
request = function()
  local target = targets[math.random(#targets)]
  if target == "POST" then return post end
  n = n + 1
  return target .. string.format("%d", n) .. rest
end
`
}

function withAutocannon(load: Load): Counted {
  const { url, method = 'GET', headers = {}, body, connections = 64, seconds = 2, targets, visits } = load
  if (targets || visits) throw new Error('Requests that all differ need wrk: install it (Debian: apt-get install wrk).')
  const autocannon = join(import.meta.dirname, 'peers/node_modules/autocannon/autocannon.js')
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  const options = [
    '-c',
    String(connections),
    '-d',
    String(seconds),
    '-m',
    method,
    ...(body ? ['-b', body] : []),
    '--json',
  ]
  const command = onCore(1, [process.execPath, autocannon, ...options, ...given, url])
  const result = JSON.parse(execFileSync(command[0] as string, command.slice(1), { encoding: 'utf8', stdio: 'pipe' }))
  const { requests, non2xx: failures, latency } = result
  return { perSecond: requests.average, requests: requests.total, failures, p50Ms: latency.p50, p99Ms: latency.p99 }
}

/** V8 compiles for many seconds what servers then run for weeks: rates rise by a third until it is done. */
export const WARM_UP_SECONDS = Number(process.env.BENCH_WARM_UP_SECONDS ?? 18)

/** Measured in turns, a slice each, so that whatever else the machine does meanwhile meets all alike. */
export function sideBySide(loads: Record<string, Load>): Record<string, number> {
  const slices = inTurns(loads, 5)
  return Object.fromEntries(
    Object.entries(slices).map(([name, measured]) => [name, median(measured.map(({ perSecond }) => perSecond))]),
  )
}

export function inTurns<Name extends string>(loads: Record<Name, Load>, rounds: number): Record<Name, Measured[]> {
  const entries = Object.entries<Load>(loads) as [Name, Load][]
  const slices = Object.fromEntries(entries.map(([name]) => [name, []])) as unknown as Record<Name, Measured[]>
  for (const [, load] of entries) measure({ ...load, seconds: WARM_UP_SECONDS })
  for (let round = 0; round < rounds; round++) {
    for (const [name, load] of entries) {
      const measured = measure(load)
      if (measured.failures > 0) throw new Error(`${name}: ${measured.failures} requests failed`)
      slices[name].push(measured)
    }
  }
  return slices
}

export function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] as number
}
