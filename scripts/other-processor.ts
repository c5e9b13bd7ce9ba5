import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import packageJson from '../package.json' with { type: 'json' }
import { V8_FLAGS } from '../test/harness/service-process.ts'

/**
 * Installs a fresh clone for the processor that this machine does not have, and runs it under emulation: the service
 * starts, builds the dashboard and answers a first request. For Debian as root; takes five to ten minutes.
 */
const PROCESSORS = {
  x64: { emulator: 'qemu-x86_64', libraries: '/usr/x86_64-linux-gnu', debian: 'amd64' },
  arm64: { emulator: 'qemu-aarch64', libraries: '/usr/aarch64-linux-gnu', debian: 'arm64' },
}
const START_MAX_MS = 600_000
const PORT = 4830
const ROOT = join(import.meta.dirname, '..')

const cpu = process.arch === 'x64' ? 'arm64' : 'x64'
const { emulator, libraries, debian } = PROCESSORS[cpu]
const folder = mkdtempSync(join(tmpdir(), `petstore-${cpu}-`))
const checkout = join(folder, 'petstore')
let service: ChildProcess | undefined
try {
  if (!existsSync(`/usr/bin/${emulator}`) || !existsSync(libraries)) {
    const packages = ['qemu-user', `libc6-${debian}-cross`, `libstdc++6-${debian}-cross`, `libatomic1-${debian}-cross`]
    step('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], folder)
  }
  step('git', ['clone', '-q', ROOT, checkout], folder)
  step('npm', ['ci', '--os=linux', `--cpu=${cpu}`, '--ignore-scripts'], checkout)
  const node = join(checkout, `node_modules/node-linux-${cpu}/bin/node`)
  const emulated = (...parameters: string[]) => ['-L', libraries, node, ...parameters]
  step(emulator, emulated('-p', '`${process.arch} ${process.version}`'), checkout)
  step(emulator, emulated('scripts/build-dashboard.ts', '--force'), checkout)

  say('the service starts')
  service = spawn(emulator, emulated(...V8_FLAGS, 'bin/petstore.js', 'serve'), {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PETSTORE_DATA: join(folder, 'data'),
      PETSTORE_BASE_URL: `http://localhost:${PORT}/v1`,
      PETSTORE_STAGING_URL: `http://localhost:${PORT + 1}/v1`,
      PETSTORE_ADMIN_PORT: String(PORT + 2),
      PETSTORE_HTTPS_PORT: String(PORT + 3),
    },
  })
  const key = await printedKey(service)
  const answer = await fetch(`http://127.0.0.1:${PORT}/v1/pets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: '{"name":"Rex","categoryId":1}',
  })
  say(`POST /v1/pets: ${answer.status} ${await answer.text()}`)
  const page = await fetch(`http://127.0.0.1:${PORT}/`)
  const isBuilt = (await page.text()).includes('/_app/immutable/')
  say(`GET /: ${page.status}, ${isBuilt ? 'the built dashboard' : 'no dashboard'}`)
  if (answer.status !== 201 || !isBuilt) process.exitCode = 1
} finally {
  service?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

function step(command: string, parameters: readonly string[], cwd: string): void {
  say([command, ...parameters].join(' ').replaceAll(folder, '…'))
  execFileSync(command, parameters, { cwd, stdio: 'inherit' })
}

async function printedKey({ stdout }: ChildProcess): Promise<string> {
  let printed = ''
  stdout?.on('data', (chunk: Buffer) => (printed += chunk))
  const deadline = performance.now() + START_MAX_MS
  while (performance.now() < deadline) {
    const key = /ps_live_\w{38}/.exec(printed)?.[0]
    if (key) return key
    await wait(200)
  }
  throw new Error(`The service did not start within ${START_MAX_MS / 60_000} minutes:\n${printed}`)
}

function say(text: string): void {
  console.log(`\n▶ ${cpu}, version ${packageJson.version}: ${text}`)
}
