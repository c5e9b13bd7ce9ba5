import { createServer } from 'node:net'
import type { Config } from '../../config.ts'
import { portOf } from '../../edge/hosts.ts'
import { type Check, fail, ok } from './check.ts'

interface Port {
  name: string
  setting: string
  port: number
  addresses: readonly string[]
  /** What only a running Petstore answers with 200. */
  probe: string
}

/** A port is well when it is free, or when it is this very service that has it. */
export async function checkPorts(config: Config): Promise<Check[]> {
  const api = (name: string, setting: string, url: URL): Port[] =>
    url.protocol === 'http:'
      ? [{ name, setting, port: portOf(url), addresses: config.listenOn, probe: '/v1/openapi.json' }]
      : []
  const ports: Port[] = [
    ...api('production', 'PETSTORE_BASE_URL', config.baseUrl),
    ...api('staging', 'PETSTORE_STAGING_URL', config.stagingUrl),
    { name: 'admin', setting: 'PETSTORE_ADMIN_PORT', port: config.adminPort, addresses: ['127.0.0.1'], probe: '/livez' },
  ]
  return Promise.all(ports.map(checkPort))
}

async function checkPort({ name, setting, port, addresses, probe }: Port): Promise<Check> {
  for (const address of addresses) {
    const trouble = await bindingTrouble(address, port)
    // A machine without IPv6 is served on IPv4 alone.
    if (trouble === undefined || trouble === 'EADDRNOTAVAIL' || trouble === 'EAFNOSUPPORT') continue
    if (trouble === 'EADDRINUSE' && (await answersAsPetstore(address, port, probe))) {
      return ok(`${name} port`, `${port}, answered by Petstore`)
    }
    const why = trouble === 'EACCES' ? 'may not be opened by this user' : 'is in use by another process'
    return fail(`${name} port`, `${port} ${why}. Free it, or choose another with ${setting}.`)
  }
  return ok(`${name} port`, `${port}, free`)
}

function bindingTrouble(address: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    server.listen(port, address, () => server.close(() => resolve(undefined)))
  })
}

async function answersAsPetstore(address: string, port: number, probe: string): Promise<boolean> {
  const host = address === '::' || address === '0.0.0.0' ? 'localhost' : address.includes(':') ? `[${address}]` : address
  try {
    const answer = await fetch(`http://${host}:${port}${probe}`, { signal: AbortSignal.timeout(2000) })
    const text = await answer.text()
    return answer.ok && (probe === '/livez' ? text === 'ok\n' : text.includes('"listPets"'))
  } catch {
    return false
  }
}
