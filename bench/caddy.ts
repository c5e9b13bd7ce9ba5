import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../test/harness/free-ports.ts'
import { onCore } from './load.ts'

export interface Caddy extends AsyncDisposable {
  readonly http: string
  readonly https: string
  readonly process: ChildProcess
}

export interface CaddyFile {
  /** A directory for each host; without one the file is every host's. */
  host?: string
  path: string
  bytes: Uint8Array
}

interface CaddyOptions {
  /** With more than one, on all cores. */
  processors?: number
}

/** Caddy (Debian) as its users set it up, serving files over HTTP and HTTPS with the certificate that it is given. */
export async function startCaddy(
  files: readonly CaddyFile[],
  tls: { key: string; cert: string },
  { processors = 1 }: CaddyOptions = {},
): Promise<Caddy> {
  requireCaddy()
  const [http, https, admin] = await freePorts(3)
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-caddy-'))
  const site = join(directory, 'site')
  for (const { host = '', path, bytes } of files) {
    mkdirSync(join(site, host, path, '..'), { recursive: true })
    writeFileSync(join(site, host, path), bytes)
  }
  writeFileSync(join(directory, 'key.pem'), tls.key)
  writeFileSync(join(directory, 'cert.pem'), tls.cert)
  const root = files.some(({ host }) => host !== undefined) ? join(site, '{host}') : site
  writeFileSync(
    join(directory, 'Caddyfile'),
    `{
  admin 127.0.0.1:${admin}
  auto_https off
}
http://:${http} {
  root * ${root}
  file_server
}
https://:${https} {
  tls ${join(directory, 'cert.pem')} ${join(directory, 'key.pem')}
  root * ${root}
  file_server
}
`,
  )
  const run = ['caddy', 'run', '--config', join(directory, 'Caddyfile'), '--adapter', 'caddyfile']
  const command = processors > 1 ? run : onCore(0, run)
  const homes = { HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory }
  const env = { ...process.env, GOMAXPROCS: String(processors), ...homes }
  const child = spawn(command[0] as string, command.slice(1), { env, stdio: 'ignore' })
  const url = `http://127.0.0.1:${http}`
  for (let tries = 0; tries < 100 && !(await answers(url)); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    http: url,
    https: `https://localhost:${https}`,
    process: child,
    async [Symbol.asyncDispose]() {
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await exited
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** With whatever status. */
const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  )

function requireCaddy(): void {
  const missing = () => spawnSync('caddy', ['version']).error !== undefined
  if (missing() && process.getuid?.() === 0)
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'caddy'], { stdio: 'ignore' })
  if (missing()) throw new Error('Caddy is needed to compare with: install it with apt-get install caddy.')
}
