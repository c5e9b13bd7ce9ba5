import { canonicalHostname, isWithin } from '../../hostname.ts'
import { parseServerAddress, type ServerAddress } from '../address.ts'

/** The zone that this service answers for itself. */
export interface DnsZoneSettings {
  zone: string
  nameservers: readonly [string, ...string[]]
  /** Where this instance answers; nowhere where others do, or the sandbox does. */
  listen: readonly ServerAddress[]
}

interface Installation {
  platformHost: string
  /** It has a zone of its own, so that everything can be rehearsed. */
  sandbox: boolean
}

/** The settings, undefined where there is no zone, or the sentence that says what is wrong with them. */
export function readDnsZone(
  environment: Record<string, string | undefined>,
  { platformHost, sandbox }: Installation,
): DnsZoneSettings | undefined | string {
  const { PETSTORE_DNS_LISTEN: listenText = '', PETSTORE_DNS_NAMESERVERS: nameserversText = '' } = environment
  const zoneText = environment.PETSTORE_DNS_ZONE || (sandbox && listenText === '' ? `acme.${platformHost}` : '')
  if (zoneText === '') {
    if (listenText === '' && nameserversText === '') return undefined
    return 'PETSTORE_DNS_LISTEN and PETSTORE_DNS_NAMESERVERS need PETSTORE_DNS_ZONE beside them.'
  }
  const zone = canonicalHostname(zoneText)
  if (zone === undefined || !zone.includes('.') || isWithin(platformHost, zone)) {
    return (
      `PETSTORE_DNS_ZONE is "${zoneText}", but must be a name of its own, which is delegated to this service ` +
      `and used for nothing else, such as acme.${platformHost}.`
    )
  }
  const listen = split(listenText).map((text) => parseServerAddress(text))
  if (!listen.every((address) => address !== undefined)) {
    return (
      `PETSTORE_DNS_LISTEN is "${listenText}", but must list addresses of this machine, such as ` +
      '0.0.0.0:53 or [::]:53.'
    )
  }
  const names = split(nameserversText || platformHost)
  const nameservers = names.map((text) => (text === 'localhost' ? text : canonicalHostname(text)))
  if (nameservers.some((name) => name === undefined || isWithin(name, zone))) {
    return (
      `PETSTORE_DNS_NAMESERVERS is "${nameserversText}", but must list the names that the zone above delegates ` +
      `${zone} to, none of them inside it, such as ns1.${platformHost}.`
    )
  }
  return { zone, nameservers: nameservers as [string, ...string[]], listen }
}

const split = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
