import type { Config } from '../config.ts'
import { portOf } from '../platform/port-of.ts'

/** Where a browser visits a domain that is live. In local mode only the sandbox knows its name (`edge/hosts.ts`). */
export function visitOrigin(config: Addresses & Pick<Config, 'platformHost' | 'sandbox'>, hostname: string) {
  const { http, https } = publicPorts(config)
  return config.sandbox
    ? ({ scheme: 'http', host: `${hostname}.${config.platformHost}`, port: http } as const)
    : ({ scheme: 'https', host: hostname, port: https } as const)
}

/** Where visitors reach the edge: on the ports of the public addresses where they tell, else on the listeners' own. */
type Addresses = Pick<Config, 'baseUrl' | 'stagingUrl' | 'httpsPort'>

export function publicPorts({ baseUrl, stagingUrl, httpsPort }: Addresses): { http: number; https: number } {
  const portFor = (protocol: string) => {
    const url = [baseUrl, stagingUrl].find((address) => address.protocol === protocol)
    return url && portOf(url)
  }
  return { http: portFor('http:') ?? 80, https: portFor('https:') ?? httpsPort }
}
