import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../harness/free-ports.ts'
import { serverUser } from '../harness/postgres-binaries.ts'
import { until } from '../harness/until.ts'

const PROGRAM = existsSync('/usr/sbin/pgbouncer') ? '/usr/sbin/pgbouncer' : 'pgbouncer'

/** Debian's PgBouncer in transaction mode in front of a loopback server, with fewer connections than clients. */
export async function startPgBouncer(serverPort: number, { idleMaxSeconds = 600 } = {}) {
  const [port] = (await freePorts(1)) as [number]
  const directory = mkdtempSync(join(tmpdir(), 'petstore-pgbouncer-'))
  const settings = join(directory, 'pgbouncer.ini')
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${serverPort} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 6
server_idle_timeout = ${idleMaxSeconds}
`,
  )
  if (serverUser.uid !== undefined)
    for (const path of [directory, settings]) chownSync(path, serverUser.uid, serverUser.gid)
  const child = spawn(PROGRAM, [settings], { ...serverUser, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  const endAtExit = () => child.kill('SIGKILL')
  process.once('exit', endAtExit)
  let printed = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (printed += text))
  await until('PgBouncer listens', () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${printed}`)
    return printed.includes('listening on 127.0.0.1')
  })
  return {
    port,
    stop: () => child.kill('SIGSTOP'),
    goOn: () => child.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGINT')
      const late = setTimeout(() => child.kill('SIGKILL'), 5000)
      await ended
      clearTimeout(late)
      process.off('exit', endAtExit)
      rmSync(directory, { recursive: true })
    },
  }
}
