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

/** Caddy (Debian) with one processor, serving one file over HTTP and HTTPS with the certificate that it is given. */
export async function startCaddy(
  file: { path: string; bytes: Buffer },
  tls: { key: string; cert: string },
): Promise<Caddy> {
  requireCaddy()
  const [http, https, admin] = await freePorts(3)
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-caddy-'))
  const site = join(directory, 'site')
  mkdirSync(join(site, file.path, '..'), { recursive: true })
  writeFileSync(join(site, file.path), file.bytes)
  writeFileSync(join(directory, 'key.pem'), tls.key)
  writeFileSync(join(directory, 'cert.pem'), tls.cert)
  writeFileSync(
    join(directory, 'Caddyfile'),
    `{
  admin 127.0.0.1:${admin}
  auto_https off
}
http://127.0.0.1:${http} {
  root * ${site}
  file_server
}
https://localhost:${https} {
  tls ${join(directory, 'cert.pem')} ${join(directory, 'key.pem')}
  root * ${site}
  file_server
}
`,
  )
  const command = onCore(0, ['caddy', 'run', '--config', join(directory, 'Caddyfile'), '--adapter', 'caddyfile'])
  const env = { ...process.env, GOMAXPROCS: '1', HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory }
  const child = spawn(command[0] as string, command.slice(1), { env, stdio: 'ignore' })
  const url = `http://127.0.0.1:${http}`
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(`${url}/${file.path}`).then(
        (response) => response.ok,
        () => false,
      )
    )
      break
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

function requireCaddy(): void {
  const missing = () => spawnSync('caddy', ['version']).error !== undefined
  if (missing() && process.getuid?.() === 0)
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'caddy'], { stdio: 'ignore' })
  if (missing()) throw new Error('Caddy is needed to compare with: install it with apt-get install caddy.')
}
