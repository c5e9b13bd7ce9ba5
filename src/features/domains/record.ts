import { CHALLENGE_LABEL, challengeName, withoutWildcard } from './preparation/challenge-zone.ts'
import type { ProofNeed } from './claims.ts'
import type { DomainName } from './hostname-input.ts'

/** One line to create at a DNS provider. */
interface DnsInstruction {
  type: 'CNAME' | 'ALIAS' | 'A' | 'AAAA' | 'TXT'
  /** Relative to the registrable domain, or to the zone that the hostname itself is: `@` for that name itself. */
  name: string
  /** The same name in full, for providers that want it so. */
  fullName: string
  value: string
  ttl: number
}

export interface RecordAdvice {
  record: DnsInstruction
  /** For an apex whose provider has no ALIAS: these instead, all of them. */
  alternatives: DnsInstruction[]
  /** Only where the record alone does not show whose the hostname is; a note says why. */
  proof: DnsInstruction | null
  /** Lets certificates be had before the switch, behind a proxy and for a wildcard; null where it cannot be offered. */
  challenge: DnsInstruction | null
  notes: string[]
}

export interface RecordInput {
  target: string
  /** The edge's public addresses. */
  addresses: { v4: readonly string[]; v6: readonly string[] }
  /** What the TXT record must say and why it is needed; undefined when it is not. */
  proof: { value: string; need: Exclude<ProofNeed, 'none'> | 'preparation' } | undefined
  /** Where the name of dns-01 must lead. */
  challengeTarget: string | undefined
}

export const RECORD_TTL_SECONDS = 3600

export const PROOF_LABEL = '_petstore'
export const proofName = (hostname: string) => `${PROOF_LABEL}.${withoutWildcard(hostname)}`

/** What to create so that the hostname reaches the project, as the dashboard shows it. */
export function adviseRecord(domain: DomainName, input: RecordInput): RecordAdvice {
  const { challengeTarget } = input
  return {
    ...adviseLead(domain, input),
    challenge: challengeTarget ? challengeInstruction(domain, challengeTarget) : null,
  }
}

function adviseLead(domain: DomainName, { target, addresses, ...input }: RecordInput): Omit<RecordAdvice, 'challenge'> {
  const at = { name: domain.label, fullName: domain.hostname, ttl: RECORD_TTL_SECONDS }
  const proof = input.proof ? proofInstruction(domain, input.proof.value) : null
  const proofNotes = input.proof ? [PROOF_NOTES[input.proof.need](domain.hostname)] : []
  if (domain.kind !== 'apex') {
    const record: DnsInstruction = { type: 'CNAME', ...at, value: target }
    return { record, alternatives: [], proof, notes: [...proofNotes, ...subdomainNotes(domain)] }
  }
  const v4 = addresses.v4.map((value): DnsInstruction => ({ type: 'A', ...at, value }))
  const v6 = addresses.v6.map((value): DnsInstruction => ({ type: 'AAAA', ...at, value }))
  const alternatives = [...v4, ...v6]
  const record: DnsInstruction = { type: 'ALIAS', ...at, value: target }
  return { record, alternatives, proof, notes: [...proofNotes, ...apexNotes(domain, alternatives)] }
}

const PROVES = 'the TXT record proves that it is yours. Once the domain is verified, that record may go.'

const PROOF_NOTES = {
  preparation: (hostname: string) =>
    `Create both records and leave ${hostname} as it is: visitors go on where they go now, and the certificate is ` +
    'issued meanwhile.',
  always: (hostname: string) => `Create both records. ${hostname} is or was attached to another project: ${PROVES}`,
  address: (hostname: string) =>
    `Create both records. ${hostname} led here before you added it, or another project waits for it too, and an ` +
    `address shows nobody which project is meant: ${PROVES}`,
}

function proofInstruction(domain: DomainName, value: string): DnsInstruction {
  const fullName = proofName(domain.hostname)
  return { type: 'TXT', name: below(domain, PROOF_LABEL), fullName, value, ttl: RECORD_TTL_SECONDS }
}

function challengeInstruction(domain: DomainName, value: string): DnsInstruction {
  const fullName = challengeName(domain.hostname)
  return { type: 'CNAME', name: below(domain, CHALLENGE_LABEL), fullName, value, ttl: RECORD_TTL_SECONDS }
}

/** The name of a record below the hostname, relative as that of the hostname is. */
function below({ label }: DomainName, name: string): string {
  const bare = withoutWildcard(label)
  return bare === '@' || bare === '*' ? name : `${name}.${bare}`
}

function subdomainNotes({ hostname, kind, label, registrable }: DomainName): string[] {
  if (kind === 'wildcard') {
    return [
      `Names below ${withoutWildcard(hostname)} that have a record of their own keep it: a wildcard answers for the ` +
        'others only.',
    ]
  }
  return [
    `Delete A, AAAA, TXT, MX and other records named ${label} first: a CNAME cannot stand beside them.`,
    `Most providers want the name without the domain: ${label}. ` +
      `If yours shows ${hostname}.${registrable} afterwards, it added the domain itself.`,
  ]
}

function apexNotes({ hostname }: DomainName, alternatives: DnsInstruction[]): string[] {
  const notes = [
    `DNS allows no CNAME at ${hostname} itself. Providers call the replacement ALIAS, ANAME or CNAME flattening; ` +
      'some do not offer it.',
  ]
  if (alternatives.length === 0) return [...notes, `Without it, use a subdomain such as www.${hostname} instead.`]
  const values = alternatives.map(({ type, value }) => `${type} ${value}`).join(', ')
  return [
    ...notes,
    `If yours does not, create these instead: ${values}. ` +
      'Unlike an ALIAS they do not follow when our addresses change; we tell you if they do.',
    `Delete A and AAAA records with other values at ${hostname}.`,
  ]
}
