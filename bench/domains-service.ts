import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { freePorts } from '../test/harness/free-ports.ts'
import { onCore } from './load.ts'
import { START_COMMAND } from './servers.ts'

export interface DomainService extends AsyncDisposable {
  /** taskset replaces itself by the service, so that the child's id is the service's. */
  readonly process: ChildProcess
  readonly httpsPort: number
  readonly adminPort: number
  /** From the start of the process to the first answer at a custom domain, over TLS. */
  readonly startMs: number
}

/** The service as `npm start` runs it, on a data directory that stays. */
export async function startOn(dataDirectory: string, hostname: string): Promise<DomainService> {
  const [production, staging, adminPort, httpsPort] = (await freePorts(4)) as [number, number, number, number]
  const env = {
    ...process.env,
    PETSTORE_DATA: dataDirectory,
    PETSTORE_BASE_URL: `http://localhost:${production}/v1`,
    PETSTORE_STAGING_URL: `http://localhost:${staging}/v1`,
    PETSTORE_ADMIN_PORT: String(adminPort),
    PETSTORE_HTTPS_PORT: String(httpsPort),
    PETSTORE_LOG_LEVEL: 'warn',
  }
  const command = onCore(0, START_COMMAND)
  const start = performance.now()
  const child = spawn(command[0] as string, command.slice(1), { env, stdio: ['ignore', 'ignore', 'inherit'] })
  for (let tries = 0; !(await answers(httpsPort, hostname)); tries++) {
    if (child.exitCode !== null || tries > 3000) throw new Error(`The service does not answer for ${hostname}.`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const startMs = performance.now() - start
  return {
    process: child,
    httpsPort,
    adminPort,
    startMs,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Whether an HTTP answer comes back through TLS for this name. */
async function answers(port: number, servername: string): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false })
  socket.setTimeout(2000, () => socket.destroy(new Error('late')))
  try {
    await once(socket, 'secureConnect')
    socket.write(`GET / HTTP/1.1\r\nHost: ${servername}\r\nConnection: close\r\n\r\n`)
    const [data] = (await once(socket, 'data')) as [Buffer]
    return data.toString('latin1').startsWith('HTTP/1.1 ')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
