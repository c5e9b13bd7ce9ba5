import type { SandboxZone } from '../../../client/src/platform/platform.ts'
import { CommandError } from '../line/command.ts'
import { type Server, serverOptions } from '../remote/server.ts'
import { json } from '../line/options.ts'

export const sandboxOptions = { ...serverOptions, json } as const

export const nameserverOption = {
  type: 'string',
  value: 'NAME',
  help: 'only on this nameserver, so that the two disagree',
} as const

export const zonesOf = (server: Server) => server.call('GET /sandbox/zones', {})

/** The zone that holds the name; the innermost where there are several. */
export function zoneFor(zones: readonly SandboxZone[], name: string): SandboxZone {
  const plain = name.toLowerCase().replace(/\.$/, '')
  const holding = zones.filter(({ apex }) => plain === apex || plain.endsWith(`.${apex}`))
  const [innermost] = holding.toSorted((a, b) => b.apex.length - a.apex.length)
  if (innermost) return innermost
  const known = zones.map(({ apex }) => apex).join(', ') || 'none'
  throw new CommandError(
    `No zone of the sandbox holds ${name} (there are: ${known}). Create one with --zone, such as --zone my-shop.test.`,
  )
}
