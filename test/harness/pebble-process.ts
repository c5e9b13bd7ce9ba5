import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createAcmeTransport } from '../../src/features/certificates/acme/transport.ts'
import { createInternalCa, createRoot } from '../../src/features/certificates/authority/internal-ca.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { freePorts } from './free-ports.ts'
import { HUNG_AFTER_MS } from './until.ts'

export interface Pebble extends AsyncDisposable {
  readonly directoryUrl: string
  /** What a client has to trust to talk to pebble. */
  readonly caPem: string
  /** A root that pebble's certificates lead to; another one after every restart. */
  issuingRootPem(index?: number): Promise<string>
  certificateStatus(serial: string): Promise<string>
  /** Starts anew at the same address: pebble forgets accounts, orders and its own root. */
  restart(): Promise<void>
}

export interface PebbleOptions {
  /** Where pebble looks for http-01 and tls-alpn-01 answers. */
  httpPort: number
  tlsPort: number
  /** `address:port`; without it every name resolves to 127.0.0.1. */
  dnsServer?: string | undefined
  /** Key ids with their MAC keys; pebble then wants one of them. */
  externalAccounts?: Record<string, string> | undefined
  environment?: Record<string, string> | undefined
  certificateValidityMs?: number | undefined
}

/** Runs the real pebble, an ACME server made for tests, on free loopback ports. */
export async function runPebble(options: PebbleOptions): Promise<Pebble> {
  const command = findPebble()
  await using building = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'petstore-pebble-'))
  building.defer(() => rm(directory, { recursive: true, force: true }))

  const ca = createInternalCa({ clock: systemClock }, { root: await createRoot({ clock: systemClock }) })
  const { chainPem, privateKeyPem } = await ca.issue(['localhost', '127.0.0.1'])
  const dnsServer = options.dnsServer ?? (await startLoopbackDns(building))
  const [port, managementPort] = (await freePorts(2)) as [number, number]
  const config = {
    pebble: {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${managementPort}`,
      certificate: join(directory, 'cert.pem'),
      privateKey: join(directory, 'key.pem'),
      httpPort: options.httpPort,
      tlsPort: options.tlsPort,
      ocspResponderURL: '',
      externalAccountBindingRequired: options.externalAccounts !== undefined,
      externalAccountMACKeys: options.externalAccounts ?? {},
      ...(options.certificateValidityMs ? { certificateValidityPeriod: options.certificateValidityMs / 1000 } : {}),
    },
  }
  await writeFile(config.pebble.certificate, chainPem)
  await writeFile(config.pebble.privateKey, privateKeyPem)
  await writeFile(join(directory, 'config.json'), JSON.stringify(config))

  const transport = createAcmeTransport({ caPem: ca.rootPem, timeoutMs: HUNG_AFTER_MS, bodyBytesMax: 1024 * 1024 })
  const get = async (url: string) => (await transport({ method: 'GET', url })).body
  const directoryUrl = `https://127.0.0.1:${port}/dir`
  let child = await start()
  building.defer(() => stop(child))

  const running = building.move()
  return {
    directoryUrl,
    caPem: ca.rootPem,
    issuingRootPem: (index = 0) => get(`https://127.0.0.1:${managementPort}/roots/${index}`),
    certificateStatus: async (serial) => {
      const url = `https://127.0.0.1:${managementPort}/cert-status-by-serial/${serial.toLowerCase()}`
      return (JSON.parse(await get(url)) as { Status: string }).Status
    },
    async restart() {
      await stop(child)
      child = await start()
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }

  async function start(): Promise<ChildProcess> {
    const args = ['-config', join(directory, 'config.json'), '-dnsserver', dnsServer]
    // To pebble a reuse of 0 is one in a hundred: where the steps of a second order for a name count, say 100.
    const env = { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0', PEBBLE_AUTHZREUSE: '0', ...options.environment }
    const started = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    killWithThisProcess(started)
    let output = ''
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (chunk: Buffer) => (output = (output + chunk).slice(-4000)))
    }
    // It answers or it ends: how long that takes is the machine's affair.
    while (!hasEnded(started)) {
      if (await answers()) return started
      await systemClock.sleep(25)
    }
    throw new Error(`pebble ended while it was starting:\n${output}`)
  }

  function answers(): Promise<boolean> {
    return get(directoryUrl).then(
      () => true,
      () => false,
    )
  }
}

function findPebble(): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  const places = folders.map((folder) => join(folder, 'pebble'))
  const found = places.find(isExecutable)
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) installWithApt()
  const installed = places.find(isExecutable)
  if (installed) return installed
  throw new Error(
    'These tests need pebble, the ACME server for tests. On Debian run "apt-get install pebble" as root; ' +
      'elsewhere put a pebble binary on the PATH.',
  )
}

function installWithApt(): void {
  try {
    runApt('update')
    runApt('install', '-y', '--no-install-recommends', 'pebble')
  } catch {
    // The caller looks again and says what to do.
  }
}

function runApt(...args: string[]): void {
  execFileSync('apt-get', ['-o', 'DPkg::Lock::Timeout=120', '-qq', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: 'ignore',
    timeout: 180_000,
  })
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function startLoopbackDns(building: AsyncDisposableStack): Promise<string> {
  const thread = building.use(new Worker(new URL('./loopback-dns.ts', import.meta.url)))
  const [port] = await once(thread, 'message')
  return `127.0.0.1:${port}`
}

function killWithThisProcess(child: ChildProcess): void {
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.removeListener('exit', kill))
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null
