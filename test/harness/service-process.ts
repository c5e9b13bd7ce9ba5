import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addressesOn, ownPorts } from './free-ports.ts'
import { layOutSchema } from './schema.ts'
import { HUNG_AFTER_MS, until } from './until.ts'

export interface ServiceProcess extends AsyncDisposable {
  readonly dataDirectory: string
  readonly productionPort: number
  readonly stagingPort: number
  readonly adminPort: number
  readonly httpsPort: number
  /** Of the first project; known from the start that created it. */
  readonly keys: { production: string; staging: string }
  readonly pid: number
  /** Everything printed by this start. */
  readonly stdout: string
  readonly stderr: string
  /** A request to `/v1` of the production address, with the first key unless the headers say otherwise. */
  call(path: string, options?: { method?: string; body?: unknown; headers?: Record<string, string> }): Promise<Response>
  /** `/livez`, `/readyz` or `/metrics`. */
  admin(path: string): Promise<Response>
  /** SIGKILL: no chance to finish anything. */
  kill(): Promise<void>
  /** SIGTERM; the outcome of the process. */
  stop(): Promise<Exit>
  /** The outcome of a process that ends by itself. */
  ended(): Promise<Exit>
  /** Starts again on the same data and the same ports. */
  restart(): Promise<void>
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface ServiceOptions {
  environment?: Record<string, string>
  dataDirectory?: string
  /** Of a project that exists already; without them the first start is waited for to print them. */
  keys?: { production: string; staging: string }
  /** Put before the command, such as a shell that sets a limit and then becomes the service. */
  wrapper?: readonly string[]
  user?: { uid: number; gid: number }
}

const COMMAND = fileURLToPath(new URL('../../bin/petstore.js', import.meta.url))
/** With which the command starts its Node again where they are not given: a tenth of the processor time of a start. */
export const V8_FLAGS = [...readFileSync(COMMAND, 'utf8').matchAll(/'(--(?:no-[\w-]+|[\w-]+=\d+))'/g)].map(
  ([, flag]) => flag as string,
)

/** `petstore serve` as a process of its own, which a test may kill. */
export async function startServiceProcess(options: ServiceOptions = {}): Promise<ServiceProcess> {
  const dataDirectory = options.dataDirectory ?? mkdtempSync(join(tmpdir(), 'petstore-service-'))
  if (!options.dataDirectory && !options.environment?.DATABASE_URL) layOutSchema(dataDirectory)
  const ports = await ownPorts()
  const environment = {
    PETSTORE_DATA: dataDirectory,
    ...addressesOn(ports),
    PETSTORE_LISTEN: '127.0.0.1',
    PETSTORE_RATE_LIMIT: 'off',
    ...options.environment,
  }
  const keys = { production: '', staging: '', ...options.keys }
  let running: Running | undefined
  const endAtExit = () => running?.child.kill('SIGKILL')
  process.once('exit', endAtExit)

  const service: ServiceProcess = {
    dataDirectory,
    productionPort: ports.production,
    stagingPort: ports.staging,
    adminPort: ports.admin,
    httpsPort: ports.https,
    keys,
    get pid() {
      return (running as Running).child.pid as number
    },
    get stdout() {
      return (running as Running).printed.stdout
    },
    get stderr() {
      return (running as Running).printed.stderr
    },
    call(path, { method = 'GET', body, headers = {} } = {}) {
      const json = body === undefined ? {} : { 'Content-Type': 'application/json' }
      return fetch(`http://127.0.0.1:${ports.production}/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${keys.production}`, ...json, ...headers },
        body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      })
    },
    admin: (path) => fetch(`http://127.0.0.1:${ports.admin}${path}`),
    async kill() {
      await end(running, 'SIGKILL')
    },
    stop: () => end(running, 'SIGTERM'),
    ended: () => (running as Running).exit,
    async restart() {
      await end(running, 'SIGKILL')
      running = run(environment, options)
      await untilReady(running, ports.admin)
      if (keys.production === '') Object.assign(keys, await printedKeys(running))
    },
    async [Symbol.asyncDispose]() {
      await end(running, 'SIGKILL')
      process.off('exit', endAtExit)
      if (!options.dataDirectory) rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
  try {
    await service.restart()
  } catch (error) {
    await service[Symbol.asyncDispose]()
    throw error
  }
  return service
}

/** A start that is expected to fail: runs the command until it ends. */
export async function runService(environment: Record<string, string>, options: ServiceOptions = {}): Promise<Exit> {
  const running = run({ ...addressesOn(await ownPorts()), ...environment }, options)
  const late = setTimeout(() => running.child.kill('SIGKILL'), HUNG_AFTER_MS)
  const exit = await running.exit
  clearTimeout(late)
  return exit
}

interface Running {
  child: ChildProcess
  printed: { stdout: string; stderr: string }
  exit: Promise<Exit>
}

function run(environment: Record<string, string>, { wrapper = [], user }: ServiceOptions): Running {
  const [command = '', ...parameters] = [...wrapper, process.execPath, ...V8_FLAGS, COMMAND, 'serve']
  const { PATH, HOME, TMPDIR } = process.env
  const inherited = Object.entries({ PATH, HOME, TMPDIR }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const child = spawn(command, parameters, {
    env: { MALLOC_ARENA_MAX: '2', ...Object.fromEntries(inherited), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  const printed = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (printed.stderr += text))
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal, ...printed }) as Exit)
  return { child, printed, exit }
}

async function end(running: Running | undefined, signal: NodeJS.Signals): Promise<Exit> {
  if (!running) return { code: null, signal: null, stdout: '', stderr: '' }
  running.child.kill(signal)
  const late = setTimeout(() => running.child.kill('SIGKILL'), HUNG_AFTER_MS)
  const exit = await running.exit
  clearTimeout(late)
  return exit
}

/** It is ready or it has ended: how long that takes is the machine's affair. */
async function untilReady({ child, exit }: Running, adminPort: number): Promise<void> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const isReady = async () =>
    fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until('the service starts', async () => hasEnded() || (await isReady()))
  if (!hasEnded()) return
  const { code, stdout, stderr } = await exit
  throw new Error(`The service did not start (exit code ${code}):\n${stdout}\n${stderr}`)
}

async function printedKeys({ printed }: Running): Promise<{ production: string; staging: string }> {
  const find = (pattern: RegExp) => pattern.exec(printed.stdout)?.[0] ?? ''
  const keys = () => ({ production: find(/ps_live_\w{38}/), staging: find(/ps_test_\w{38}/) })
  await until('the first start prints the keys', () => keys().production !== '' && keys().staging !== '')
  return keys()
}
