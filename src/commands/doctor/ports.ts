import type { Config } from '../../config.ts'
import { bindingTrouble } from '../../edge/ports.ts'
import { patience } from '../../platform/clock.ts'
import { portOf } from '../../platform/port-of.ts'
import { type Check, fail, ok } from './check.ts'

const ANSWER_MAX_MS = 2000

interface Port {
  name: string
  setting: string
  port: number
  addresses: readonly string[]
  /** Whether it is Petstore that has it. */
  isOurs(address: string): Promise<boolean>
}

/** A port is well when it is free, or when it is this very service that has it. */
export async function checkPorts(config: Config): Promise<Check[]> {
  const { listenOn, adminPort, httpsPort } = config
  const answersLivez = () => answers('127.0.0.1', adminPort, '/livez', (text) => text === 'ok\n')
  const api = (name: string, setting: string, url: URL): Port => ({
    name,
    setting,
    port: portOf(url),
    addresses: listenOn,
    isOurs: (address) => answers(address, portOf(url), '/v1/openapi.json', (text) => text.includes('"listPets"')),
  })
  const ports: Port[] = [
    api('production', 'PETSTORE_BASE_URL', config.baseUrl),
    api('staging', 'PETSTORE_STAGING_URL', config.stagingUrl),
    // TLS answers only for names that are attached, so the admin port has to speak for it.
    { name: 'https', setting: 'PETSTORE_HTTPS_PORT', port: httpsPort, addresses: listenOn, isOurs: answersLivez },
    { name: 'admin', setting: 'PETSTORE_ADMIN_PORT', port: adminPort, addresses: ['127.0.0.1'], isOurs: answersLivez },
  ]
  const behindTls = new Set([config.baseUrl, config.stagingUrl].filter((url) => url.protocol === 'https:').map(portOf))
  const opened = ports.filter(({ name, port }) => name === 'https' || !behindTls.has(port))
  return Promise.all(opened.map(checkPort))
}

async function checkPort({ name, setting, port, addresses, isOurs }: Port): Promise<Check> {
  for (const address of addresses) {
    const trouble = await bindingTrouble(address, port)
    // A machine without IPv6 is served on IPv4 alone.
    if (trouble === undefined || trouble === 'EADDRNOTAVAIL' || trouble === 'EAFNOSUPPORT') continue
    if (trouble === 'EADDRINUSE' && (await isOurs(address))) return ok(`${name} port`, `${port}, answered by Petstore`)
    const why = trouble === 'EACCES' ? 'may not be opened by this user' : 'is in use by another process'
    return fail(`${name} port`, `${port} ${why}. Free it, or choose another with ${setting}.`)
  }
  return ok(`${name} port`, `${port}, free`)
}

async function answers(address: string, port: number, path: string, expected: (text: string) => boolean) {
  const anywhere = address === '::' || address === '0.0.0.0'
  const host = anywhere ? 'localhost' : address.includes(':') ? `[${address}]` : address
  try {
    using waiting = patience(ANSWER_MAX_MS)
    const answer = await fetch(`http://${host}:${port}${path}`, { signal: waiting.signal })
    return answer.ok && expected(await answer.text())
  } catch {
    return false
  }
}
