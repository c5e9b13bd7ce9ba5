import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../test/harness/free-ports.ts'
import type { BareAnswer } from './bare.ts'
import { onCore } from './load.ts'

const root = new URL('..', import.meta.url).pathname
const peers = join(root, 'bench/peers')

export interface Server extends AsyncDisposable {
  readonly url: string
  readonly process: ChildProcess
}

interface Peer extends Server {
  readonly directory: string
}

export interface PetstoreServer extends Server {
  readonly key: string
  readonly directory: string
  readonly httpsPort: number
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

/** What `npm start` runs. */
export const START_COMMAND = [process.execPath, join(root, 'bin/petstore.js'), 'serve']

/** The service as `npm start` runs it, on one core; with several workers on all of them. */
export async function startPetstore(
  environment: Record<string, string> = {},
  before?: Pick<PetstoreServer, 'directory' | 'key'>,
): Promise<PetstoreServer> {
  const [production, staging, admin, https] = await freePorts(4)
  const directory = before?.directory ?? mkdtempSync(join(tmpdir(), 'petstore-bench-data-'))
  const env = {
    ...process.env,
    PETSTORE_DATA: directory,
    PETSTORE_BASE_URL: `http://localhost:${production}/v1`,
    PETSTORE_STAGING_URL: `http://localhost:${staging}/v1`,
    PETSTORE_ADMIN_PORT: String(admin),
    PETSTORE_HTTPS_PORT: String(https),
    PETSTORE_RATE_LIMIT: 'off',
    PETSTORE_LOG_LEVEL: 'warn',
    ...environment,
  }
  const { child, output } = await started(
    Number(environment.PETSTORE_WORKERS ?? 1) > 1 ? START_COMMAND : onCore(0, START_COMMAND),
    env,
    before ? /admin / : /ps_live_\w+/,
  )
  const key = before?.key ?? (/ps_live_\w+/.exec(output)?.[0] as string)
  const url = `http://127.0.0.1:${production}/v1`
  await answering(`http://127.0.0.1:${admin}/readyz`)
  return {
    url,
    key,
    directory,
    httpsPort: https as number,
    process: child,
    [Symbol.asyncDispose]: () => ended(child, directory),
  }
}

/** The same installation, started anew. */
export async function restart(
  petstore: PetstoreServer,
  environment: Record<string, string> = {},
): Promise<PetstoreServer> {
  await ended(petstore.process)
  return startPetstore(environment, petstore)
}

interface Asked {
  method: 'GET' | 'POST'
  path: string
  query?: string
  body?: string
}

/** Takes the bytes of its answers from the service, without what Node writes by itself. */
export async function startBare(
  petstore: Pick<PetstoreServer, 'url' | 'key'>,
  requests: readonly Asked[],
  { burnRounds = 0, sockets = 1 }: { burnRounds?: number; sockets?: number } = {},
): Promise<Server> {
  const answers: BareAnswer[] = []
  // One after the other: a list looks otherwise once an animal has been added.
  for (const asked of requests) answers.push(await bareAnswer(petstore, asked))
  const [port] = await freePorts(1)
  const child = await startBareScript('bare.ts', { port, answers, burnRounds, sockets })
  return { url: `http://127.0.0.1:${port}`, process: child, [Symbol.asyncDispose]: () => ended(child) }
}

/** The same over TLS, once for each protocol. */
export async function startBareTls(
  petstore: Pick<PetstoreServer, 'url' | 'key'>,
  path: string,
  certificate: { key: string; cert: string },
): Promise<{ http1Port: number; http2Port: number } & Server> {
  const answer = await bareAnswer({ ...petstore, url: new URL(petstore.url).origin }, { method: 'GET', path })
  const [http1Port = 0, http2Port = 0] = await freePorts(2)
  const child = await startBareScript('bare-tls.ts', { http1Port, http2Port, answer, ...certificate })
  const url = `https://127.0.0.1:${http1Port}`
  return { url, http1Port, http2Port, process: child, [Symbol.asyncDispose]: () => ended(child) }
}

async function bareAnswer(
  { url, key }: Pick<PetstoreServer, 'url' | 'key'>,
  { method, path, query = '', body }: Asked,
): Promise<BareAnswer> {
  // As the load asks: a body that fetch has unpacked would not be as long as its headers say.
  const headers = { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'identity', ...JSON_TYPE }
  const response = await fetch(url + path + query, { method, headers, ...(body ? { body } : {}) })
  const own = [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
  return {
    method,
    path: new URL(url + path).pathname,
    status: response.status,
    headers: own.flat(),
    body: await response.text(),
  }
}

async function startBareScript(script: string, options: object): Promise<ChildProcess> {
  const command = [process.execPath, join(root, 'bench', script), JSON.stringify(options)]
  return (await started(onCore(0, command), process.env, /listening/)).child
}

export function installPeers(): void {
  if (existsSync(join(peers, 'node_modules/@stoplight/prism-cli'))) return
  console.log('Installing what users would pick instead (bench/peers) …')
  // They need none of their scripts, one of which would tell its maker who installs it.
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['ci', ...options], { cwd: peers, stdio: 'inherit' })
}

export async function startExpress(): Promise<Server> {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-express-'))
  return startPeer(directory, (port) => [
    process.execPath,
    join(peers, 'express-sql.js'),
    port,
    join(directory, 'pets.sqlite'),
  ])
}

export async function startFastify(): Promise<Peer> {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-fastify-'))
  const script = join(peers, 'fastify-sql.js')
  return startPeer(directory, (port) => [process.execPath, script, port, join(directory, 'pets.sqlite')])
}

export async function startJsonServer(animals: unknown[]): Promise<Server> {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-json-'))
  writeFileSync(join(directory, 'db.json'), JSON.stringify({ pets: animals }))
  const script = join(peers, 'node_modules/json-server/lib/cli/bin.js')
  return startPeer(directory, (port) => [
    process.execPath,
    script,
    '--quiet',
    '--host',
    '127.0.0.1',
    '--port',
    port,
    join(directory, 'db.json'),
  ])
}

export async function startPrism(openApiDocument: string): Promise<Server> {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-prism-'))
  const script = join(peers, 'node_modules/@stoplight/prism-cli/dist/index.js')
  const document = join(directory, 'openapi.json')
  writeFileSync(document, openApiDocument)
  return startPeer(directory, (port) => [
    process.execPath,
    script,
    'mock',
    '-v',
    'fatal',
    '-h',
    '127.0.0.1',
    '-p',
    port,
    document,
  ])
}

async function startPeer(directory: string, commandOn: (port: string) => string[]): Promise<Peer> {
  const [port] = await freePorts(1)
  mkdirSync(directory, { recursive: true })
  const command = onCore(0, commandOn(String(port)))
  const child = spawn(command[0] as string, command.slice(1), { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await answering(`${url}/pets`)
  return { url, directory, process: child, [Symbol.asyncDispose]: () => ended(child, directory) }
}

async function started(command: string[], env: NodeJS.ProcessEnv, sign: RegExp) {
  const child = spawn(command[0] as string, command.slice(1), { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => {
      output += data
      if (sign.test(output)) resolve()
    })
    child.once('exit', (code) => reject(new Error(`${command.join(' ')} ended with ${code}: ${output}`)))
  })
  return { child, output }
}

async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    )
    if (answered) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} does not answer.`)
}

async function ended(child: ChildProcess, directory?: string): Promise<void> {
  if (child.exitCode === null) {
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await exited
  }
  if (directory) rmSync(directory, { recursive: true, force: true })
}
