import { parseServerAddress, type ServerAddress } from '../platform/dns/address.ts'
import { ConfigError } from './config-error.ts'
import { list } from './environment.ts'

/** One whose answers people are shown, under the name that they know it by. */
export type ShownResolver = ServerAddress & { name: string }

const WELL_KNOWN = 'Cloudflare=1.1.1.1,Google=8.8.8.8,Quad9=9.9.9.9'

export function readResolvers(text = WELL_KNOWN): readonly ShownResolver[] {
  if (text === 'none') return []
  return list(text).map((part) => {
    const [name = '', at = ''] = part.split('=').map((each) => each.trim())
    const address = parseServerAddress(at)
    if (address && name !== '') return { name, ...address }
    throw new ConfigError(
      `PETSTORE_RESOLVERS has "${part}", but must list resolvers such as ${WELL_KNOWN}, or be none.`,
    )
  })
}
