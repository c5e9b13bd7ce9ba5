import type { ProofNeed } from './claims.ts'
import { type Diagnosis, diagnose, type Expectation } from './diagnosis/diagnose.ts'
import type { CaaExpectation } from './diagnosis/judge-caa.ts'
import { domainNameOf } from './hostname-input.ts'
import { type Evidence, evidenceOf } from './observation/evidence.ts'
import { observe, type ObserveNeeds } from './observation/observe.ts'
import { proofName } from './record.ts'

interface DnsCheckNeeds extends ObserveNeeds {
  /** The edge's public addresses, beside those that the target has in DNS. */
  addresses: Expectation['addresses']
  /** What the issuer is called in CAA records; undefined while nobody can know it. */
  caa: () => Promise<CaaExpectation | undefined>
}

interface CheckSubject {
  hostname: string
  target: string
  /** The TXT value to look for, and when it is needed; undefined when no proof is. */
  proof?: { value: string; need: Exclude<ProofNeed, 'none'> } | undefined
}

/** Asks DNS about a hostname and reads every problem out of the answers. */
export type DnsCheck = (subject: CheckSubject) => Promise<{ evidence: Evidence; diagnosis: Diagnosis }>

export function createDnsCheck(needs: DnsCheckNeeds): DnsCheck {
  return async ({ hostname, target, proof }) => {
    const { registrable } = domainNameOf(hostname)
    const subject = { hostname, registrable, target, proofName: proof === undefined ? null : proofName(hostname) }
    const [observation, caa] = await Promise.all([observe(needs, subject), needs.caa()])
    const expectation: Expectation = {
      addresses: needs.addresses,
      proof: proof?.value ?? null,
      ...(proof?.need === 'address' ? { proofFor: 'address' } : {}),
      caa: caa ?? null,
    }
    return { evidence: evidenceOf(observation, expectation), diagnosis: diagnose(observation, expectation) }
  }
}
