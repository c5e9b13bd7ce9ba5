import type { IncomingHttpHeaders } from 'node:http'
import { type BlockList, isIP } from 'node:net'
import type { ForwardedClient } from '../platform/http/client.ts'
import { isAmong, plainAddress } from '../platform/network.ts'

/** Longer chains of proxies are not followed, and longer headers not read: the right end is the trustworthy one. */
const HOPS_MAX = 20
const READ_CHARACTERS_MAX = 2000

/**
 * The client, as the proxies tell it through which a request came. Each adds at the right whom it was asked by, so
 * that the first address from the right which is no proxy of ours is the client; what stands left of it anybody may
 * have written. `X-Forwarded-For` counts where it is there, because nearly every proxy writes it, and only else
 * `Forwarded` (RFC 7239): a client could send the one that its proxy does not know.
 */
export function forwardedClient(headers: IncomingHttpHeaders, peer: string, trusted: BlockList): ForwardedClient {
  const { 'x-forwarded-for': list, 'x-forwarded-proto': protocols, forwarded } = headers
  let address = plainAddress(peer)
  if (typeof list === 'string') address = walk(list, addressIn)
  else if (forwarded !== undefined) address = walk(forwarded, (element) => addressIn(parameter(element, 'for')))
  const protocol = typeof protocols === 'string' ? last(protocols) : parameter(last(forwarded ?? ''), 'proto')
  return { address, isEncrypted: protocol === '' ? undefined : protocol.toLowerCase() === 'https' }

  function walk(header: string, read: (element: string) => string | undefined): string {
    const elements = header.slice(-READ_CHARACTERS_MAX).split(',').slice(-HOPS_MAX)
    let client = plainAddress(peer)
    for (const element of elements.toReversed()) {
      const before = read(element.trim())
      if (before === undefined) return client
      client = before
      if (!isAmong(trusted, client)) return client
    }
    return client
  }
}

const last = (header: string) => header.slice(header.lastIndexOf(',') + 1).trim()

/** No quoted comma is looked for: in an address there is none, and a quote left open would hide what a proxy adds. */
function parameter(element: string, name: 'for' | 'proto'): string {
  for (const pair of element.split(';')) {
    const [key = '', value = ''] = pair.split('=', 2)
    if (key.trim().toLowerCase() === name) return value.trim().replaceAll('"', '')
  }
  return ''
}

/** With or without a port and brackets: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]:80`. */
function addressIn(text: string): string | undefined {
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return isIP(address) === 0 || address.includes('%') ? undefined : plainAddress(address)
}
