import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type Pebble, type PebbleOptions, runPebble } from './pebble-process.ts'

export type { Pebble, PebbleOptions } from './pebble-process.ts'

/** Those that nobody has now, by what they were started with. */
const idle = new Map<string, KeptPebble[]>()
let holders = 0

/**
 * Until it is disposed of, a pebble that is let go of stays for the next who wants one like it: to start one, which
 * makes its keys, takes a second of a processor.
 */
export function keepPebbles(): AsyncDisposable {
  holders++
  return {
    async [Symbol.asyncDispose]() {
      if (--holders > 0) return
      const all = [...idle.values()].flat()
      idle.clear()
      await Promise.all(all.map((each) => each[Symbol.asyncDispose]()))
    },
  }
}

/** A real authority that looks at these two ports for its answers; maybe one that has worked for others before. */
export async function startPebble(options: PebbleOptions): Promise<Pebble> {
  const { httpPort, tlsPort, dnsServer, externalAccounts, environment, certificateValidityMs } = options
  const settings = { dnsServer, externalAccounts, environment, certificateValidityMs }
  const kind = JSON.stringify(settings)
  const alike = idle.get(kind) ?? []
  idle.set(kind, alike)
  const kept = alike.pop() ?? (await startKeptPebble(settings))
  kept.lookAt({ httpPort, tlsPort })
  return {
    directoryUrl: kept.directoryUrl,
    caPem: kept.caPem,
    issuingRootPem: kept.issuingRootPem,
    certificateStatus: kept.certificateStatus,
    restart: kept.restart,
    async [Symbol.asyncDispose]() {
      // A nameserver of a test's own goes with the test.
      if (holders === 0 || dnsServer !== undefined) await kept[Symbol.asyncDispose]()
      else alike.push(kept)
    },
  }
}

type Settings = Omit<PebbleOptions, 'httpPort' | 'tlsPort'>

interface KeptPebble extends Pebble {
  /** Where it looks for answers from now on. */
  lookAt(ports: Pick<PebbleOptions, 'httpPort' | 'tlsPort'>): void
}

async function startKeptPebble(settings: Settings): Promise<KeptPebble> {
  await using building = new AsyncDisposableStack()
  const web = building.use(await openPassage())
  const secure = building.use(await openPassage())
  const pebble = building.use(await runPebble({ ...settings, httpPort: web.port, tlsPort: secure.port }))
  const running = building.move()
  return {
    ...pebble,
    lookAt({ httpPort, tlsPort }) {
      web.leadTo(httpPort)
      secure.leadTo(tlsPort)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

interface Passage extends AsyncDisposable {
  readonly port: number
  leadTo(port: number): void
}

/** A port of this machine that leads to another, which can change: pebble looks at the same two all its life. */
async function openPassage(): Promise<Passage> {
  let target = 0
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.on('error', () => other.destroy()).on('close', () => open.delete(socket))
      socket.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (port) => void (target = port),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
