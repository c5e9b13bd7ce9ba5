import { type ChildProcess, type ChildProcessWithoutNullStreams, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { addressesOn, ownPorts } from '../harness/free-ports.ts'
import { HUNG_AFTER_MS, until } from '../harness/until.ts'
import type { Call, Ended } from './command-host.ts'

export const SCRIPT = fileURLToPath(new URL('../../bin/petstore.js', import.meta.url))
const HOST = fileURLToPath(new URL('./command-host.ts', import.meta.url))

export interface CommandOptions {
  environment?: Record<string, string>
  /** What standard input brings; nothing unless told. */
  input?: string
  /** The Node that is called; the pinned one unless told. */
  node?: string
  /** The script of another checkout, or of a package that is installed. */
  script?: string
  /** Of a process of its own. */
  user?: { uid: number; gid: number }
}

/** `petstore …` as a process of its own. */
export function startCommand(args: readonly string[], options: CommandOptions = {}) {
  const child = spawn(options.node ?? process.execPath, [options.script ?? SCRIPT, ...args], {
    env: environmentOf(options),
    ...options.user,
  })
  const printed = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.stderr += text))
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  const late = setTimeout(() => child.kill('SIGKILL'), HUNG_AFTER_MS)
  const ended: Promise<Ended> = once(child, 'close').then(([code, signal]) => {
    clearTimeout(late)
    return { code, signal, ...printed }
  })
  return { child, printed, ended }
}

/** A command that ends by itself, in a process that stays for the next one; services have their own. */
export async function runCommand(args: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  if (args[0] === 'serve') {
    const environment = { ...addressesOn(await ownPorts()), ...options.environment }
    return startCommand(args, { ...options, environment }).ended
  }
  if (options.node) return startCommand(args, options).ended
  const call = { args, environment: environmentOf(options), input: options.input ?? '', script: options.script }
  const ended = lastCall.then(() => runInHost(call))
  lastCall = ended.catch(() => {})
  return ended
}

function environmentOf({ environment }: CommandOptions): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env
  return { PATH, HOME, TMPDIR, ...environment }
}

let host: ChildProcess | undefined
let lastCall: Promise<unknown> = Promise.resolve()

async function runInHost(call: Call): Promise<Ended> {
  const child = (host ??= startHost())
  const late = setTimeout(() => child.kill('SIGKILL'), HUNG_AFTER_MS)
  const told = new AbortController()
  const { signal } = told
  child.send(call)
  try {
    const ended = once(child, 'message', { signal }).then(([ended]) => ended as Ended)
    const died = once(child, 'exit', { signal }).then(() => undefined)
    const outcome = await Promise.race([ended, died])
    if (outcome === undefined) throw new Error(`petstore ${call.args.join(' ')} took its process down.`)
    return outcome
  } finally {
    clearTimeout(late)
    told.abort()
  }
}

function startHost(): ChildProcess {
  const child = fork(HOST, { execArgv: [] })
  // It goes with this process, which waits for calls and not for it.
  child.unref()
  child.channel?.unref()
  child.once('exit', () => (host = undefined))
  return child
}

/** Runs a command that has to succeed and reads the JSON document that it prints. */
export async function runJson<T>(args: readonly string[], options?: CommandOptions): Promise<T> {
  const { code, stdout, stderr } = await runCommand([...args, '--json'], options)
  if (code !== 0) throw new Error(`petstore ${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as T
}

/** Does the same with every item, three at a time: enough to keep two cores busy. */
export async function forEachAtOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const worker = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all([worker(), worker(), worker()])
}

/** Resolves when the command has printed something that matches; fails when it ends without. */
export async function untilPrinted({ child, printed }: Started, pattern: RegExp): Promise<void> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  await until(`the command prints ${pattern}`, () => pattern.test(printed.stdout) || hasEnded())
  if (!pattern.test(printed.stdout)) throw new Error(`The command ended:\n${printed.stdout}\n${printed.stderr}`)
}

export interface Started {
  child: ChildProcessWithoutNullStreams
  printed: { stdout: string; stderr: string }
}

/** A directory that goes away with the test. */
export function temporaryDirectory() {
  const path = mkdtempSync(join(tmpdir(), 'petstore-command-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Looks into a SQLite database from outside. */
export function rowsOf<Row>(dataDirectory: string, sql: string): Row[] {
  using database = new DatabaseSync(join(dataDirectory, 'petstore.sqlite'), { readOnly: true, timeout: 5000 })
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  return statement.all() as Row[]
}
