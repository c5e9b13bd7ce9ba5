import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:tls'

export interface Process {
  readonly pid?: number | undefined
}

/** What a process holds of the machine's memory. */
export function residentMb({ pid }: Process): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** Processor time so far, user and system, of all threads; the kernel counts in hundredths of a second. */
export function processorMs({ pid }: Process): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const HANDSHAKES_AT_ONCE = 10

/** Milliseconds of a server's processor time for one handshake, each with the next of these names. */
export async function cpuMsOfHandshakes(server: Process, port: number, names: readonly string[]): Promise<number> {
  return cpuMsEach(server, names, (name) => shake(port, name))
}

/** The same with a session of an earlier handshake for each name. */
export async function cpuMsOfResumptions(server: Process, port: number, names: readonly string[]): Promise<number> {
  const sessions = new Map<string, Buffer>()
  for (const name of new Set(names)) sessions.set(name, await sessionOf(port, name))
  return cpuMsEach(server, names, async (name) => {
    if (!(await shake(port, name, sessions.get(name)))) throw new Error(`The session of ${name} was not resumed.`)
  })
}

async function cpuMsEach(
  server: Process,
  names: readonly string[],
  work: (name: string) => Promise<unknown>,
): Promise<number> {
  const before = processorMs(server)
  let next = 0
  await Promise.all(
    Array.from({ length: HANDSHAKES_AT_ONCE }, async () => {
      while (next < names.length) await work(names[next++] as string)
    }),
  )
  return (processorMs(server) - before) / names.length
}

/** Whether a session was resumed. */
async function shake(port: number, servername: string, session?: Buffer): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', servername, session, rejectUnauthorized: false })
  // A refusal is an answer too.
  await once(socket, 'secureConnect').catch(() => {})
  const isResumed = socket.isSessionReused()
  socket.destroy()
  return isResumed
}

/** Servers hand their tickets out behind the handshake. */
async function sessionOf(port: number, servername: string): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false })
  const [session] = (await once(socket, 'session')) as [Buffer]
  socket.destroy()
  return session
}
