import { isIPv6 } from 'node:net'
import type { Config } from '../../config.ts'
import { bindingTrouble, isWithoutIpv6, portTrouble, reachedAt } from '../../edge/ports.ts'
import { PORTS_HEADER } from '../../pages/admin.ts'
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
  const { listenOn, adminPort, httpPort, httpsPort } = config
  const has = (port: number) =>
    answers('127.0.0.1', adminPort, '/livez', (text, { headers }) => {
      // A service from before this version, which runs until it is started again, does not name its ports.
      const ports = headers.get(PORTS_HEADER) ?? String(port)
      return text === 'ok\n' && ports.split(' ').includes(String(port))
    })
  const api = (name: string, setting: string, url: URL): Port[] => {
    const port = portOf(url)
    const isOurs = (address: string) =>
      answers(address, port, '/v1/openapi.json', (text) => text.includes('"listPets"'))
    // The port of an https address is the balancer's; ours is that of TLS.
    return url.protocol === 'https:' ? [] : [{ name, setting, port, addresses: listenOn, isOurs }]
  }
  // They answer only for names that are attached, so the admin port has to speak for them.
  const edge = (name: string, setting: string, port: number): Port => ({
    name,
    setting,
    port,
    addresses: listenOn,
    isOurs: () => has(port),
  })
  const ports: Port[] = [
    ...api('production', 'PETSTORE_BASE_URL', config.baseUrl),
    ...api('staging', 'PETSTORE_STAGING_URL', config.stagingUrl),
    ...(httpPort === undefined ? [] : [edge('http', 'PETSTORE_HTTP_PORT', httpPort)]),
    edge('https', 'PETSTORE_HTTPS_PORT', httpsPort),
    {
      name: 'admin',
      setting: 'PETSTORE_ADMIN_PORT',
      port: adminPort,
      addresses: ['127.0.0.1'],
      isOurs: () => has(adminPort),
    },
  ]
  return Promise.all(ports.map(checkPort))
}

async function checkPort({ name, setting, port, addresses, isOurs }: Port): Promise<Check> {
  for (const address of addresses) {
    const code = await bindingTrouble(address, port)
    if (code === undefined || isWithoutIpv6(addresses, address, code)) continue
    if (code === 'EADDRINUSE' && (await isOurs(address))) return ok(`${name} port`, `${port}, answered by Petstore`)
    const trouble = portTrouble(setting, address, port, code) ?? `${port} cannot be opened at ${address} (${code}).`
    return fail(`${name} port`, trouble)
  }
  return ok(`${name} port`, `${port}, free`)
}

async function answers(
  address: string,
  port: number,
  path: string,
  expected: (text: string, answer: Response) => boolean,
) {
  const at = reachedAt(address)
  const host = isIPv6(at) ? `[${at}]` : at
  try {
    using waiting = patience(ANSWER_MAX_MS)
    const answer = await fetch(`http://${host}:${port}${path}`, { signal: waiting.signal })
    return answer.ok && expected(await answer.text(), answer)
  } catch {
    return false
  }
}
