import type { Clock } from '../../platform/clock.ts'
import type { ServerAddress } from '../../platform/dns/address.ts'
import type { DnsClient } from '../../platform/dns/client.ts'
import { type Diagnosis, diagnose, type Expectation } from './diagnosis/diagnose.ts'
import { type Evidence, evidenceOf } from './observation/evidence.ts'
import { type DomainName, readHostnameInput } from './hostname-input.ts'
import type { CaaExpectation } from './diagnosis/judge-caa.ts'
import { observe } from './observation/observe.ts'
import { proofName } from './record.ts'

export interface DomainCheckOptions {
  dns: DnsClient
  clock: Clock
  resolvers: readonly ServerAddress[]
  mayAsk?: (address: string) => boolean
  portFor?: (nameserver: string, address: string) => number
  /** The edge's public addresses, beside those that the target has in DNS. */
  addresses: readonly string[]
  /** What the issuer is called in CAA records; null while nobody can know it. */
  caa: () => Promise<CaaExpectation | null>
}

export interface CheckSubject {
  hostname: string
  target: string
  /** The TXT value to look for; null when no proof is needed. */
  proof: string | null
}

/** Asks DNS about a hostname and reads every problem out of the answers. */
export type DomainCheck = (subject: CheckSubject) => Promise<{ evidence: Evidence; diagnosis: Diagnosis }>

export function createDomainCheck(options: DomainCheckOptions): DomainCheck {
  const { dns, clock, resolvers, mayAsk, portFor, addresses } = options
  const guards = { ...(mayAsk && { mayAsk }), ...(portFor && { portFor }) }

  return async ({ hostname, target, proof }) => {
    const { registrable } = domainNameOf(hostname)
    const subject = { hostname, registrable, target, proofName: proof === null ? null : proofName(hostname) }
    const [observation, caa] = await Promise.all([
      observe({ dns, clock, resolvers, ...guards }, subject),
      options.caa(),
    ])
    const expectation: Expectation = { addresses, proof, caa }
    return { evidence: evidenceOf(observation, expectation), diagnosis: diagnose(observation, expectation) }
  }
}

/** Of a hostname that was accepted when it was added. */
export function domainNameOf(hostname: string): DomainName {
  const name = readHostnameInput(hostname, [])
  if (!name.ok) throw new Error(`A stored hostname is no longer accepted: ${name.message}`)
  return name
}
