import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Load {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  connections?: number
  seconds?: number
  /** Makes each request's URL differ, so that no answer is a kept one. */
  distinct?: boolean
}

export interface Measured {
  perSecond: number
  requests: number
  failures: number
}

export const hasWrk = spawnSync('wrk', ['-v']).error === undefined
const scripts = mkdtempSync(join(tmpdir(), 'petstore-bench-'))
const pinned = spawnSync('taskset', ['-V']).error === undefined

/** The server has the first core and the load the second, so that they do not take time from each other. */
export const onCore = (core: 0 | 1, command: string[]): string[] =>
  pinned ? ['taskset', '-c', String(core), ...command] : command

export function measure(load: Load): Measured {
  return hasWrk ? withWrk(load) : withAutocannon(load)
}

function withWrk({ url, method = 'GET', headers = {}, body, connections = 64, seconds = 2, distinct }: Load): Measured {
  const script = join(scripts, 'request.lua')
  const { pathname, search } = new URL(url)
  const vary = `local n = 0
request = function() n = n + 1; return wrk.format(nil, "${pathname}${search || '?'}&n=" .. n) end
`
  const send = `wrk.method = "${method}"\n${body ? `wrk.body = ${JSON.stringify(body)}\n` : ''}`
  writeFileSync(script, send + (distinct ? vary : ''))
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const command = onCore(1, ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, ...given, url])
  const report = execFileSync(command[0] as string, command.slice(1), { encoding: 'utf8' })
  const number = (pattern: RegExp) => Number(pattern.exec(report)?.[1] ?? 0)
  return {
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    requests: number(/(\d+) requests in/),
    failures: number(/Non-2xx or 3xx responses: (\d+)/),
  }
}

function withAutocannon({ url, method = 'GET', headers = {}, body, connections = 64, seconds = 2 }: Load): Measured {
  const autocannon = new URL('./peers/node_modules/autocannon/autocannon.js', import.meta.url).pathname
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
  return { perSecond: result.requests.average, requests: result.requests.total, failures: result.non2xx }
}

/** V8 compiles for many seconds what servers then run for weeks: rates rise by a third until it is done. */
const WARM_UP_SECONDS = 18

/** Measured in turns, a slice each, so that whatever else the machine does meanwhile meets all alike. */
export function sideBySide(loads: Record<string, Load>, rounds = 5): Record<string, number> {
  const slices: Record<string, number[]> = {}
  for (const load of Object.values(loads)) measure({ ...load, seconds: WARM_UP_SECONDS })
  for (let round = 0; round < rounds; round++) {
    for (const [name, load] of Object.entries(loads)) {
      const { perSecond, failures } = measure(load)
      if (failures > 0) throw new Error(`${name}: ${failures} requests failed`)
      ;(slices[name] ??= []).push(perSecond)
    }
  }
  return Object.fromEntries(Object.entries(slices).map(([name, values]) => [name, median(values)]))
}

export function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] as number
}
