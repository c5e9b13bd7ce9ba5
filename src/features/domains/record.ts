import type { DomainName } from './hostname-input.ts'

/** One line to create at a DNS provider. */
interface DnsInstruction {
  type: 'CNAME' | 'ALIAS' | 'A' | 'AAAA' | 'TXT'
  /** Relative to the registrable domain, `@` for the domain itself. */
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
  /** Only for a hostname that another project holds or held. */
  proof: DnsInstruction | null
  notes: string[]
}

export interface RecordInput {
  target: string
  /** The edge's public addresses. */
  addresses: { v4: readonly string[]; v6: readonly string[] }
  proofValue: string | undefined
}

const RECORD_TTL_SECONDS = 3600

export const proofName = (hostname: string) => `_petstore.${hostname}`

/** What to create so that the hostname reaches the project, as the dashboard shows it. */
export function adviseRecord(domain: DomainName, { target, addresses, proofValue }: RecordInput): RecordAdvice {
  const at = { name: domain.label, fullName: domain.hostname, ttl: RECORD_TTL_SECONDS }
  const proof = proofValue === undefined ? null : proofInstruction(domain, proofValue)
  if (domain.kind === 'subdomain') {
    const record: DnsInstruction = { type: 'CNAME', ...at, value: target }
    return { record, alternatives: [], proof, notes: subdomainNotes(domain) }
  }
  const v4 = addresses.v4.map((value): DnsInstruction => ({ type: 'A', ...at, value }))
  const v6 = addresses.v6.map((value): DnsInstruction => ({ type: 'AAAA', ...at, value }))
  const alternatives = [...v4, ...v6]
  const record: DnsInstruction = { type: 'ALIAS', ...at, value: target }
  return { record, alternatives, proof, notes: apexNotes(domain, alternatives) }
}

function proofInstruction({ hostname, label }: DomainName, value: string): DnsInstruction {
  const name = label === '@' ? '_petstore' : `_petstore.${label}`
  return { type: 'TXT', name, fullName: proofName(hostname), value, ttl: RECORD_TTL_SECONDS }
}

function subdomainNotes({ hostname, label, registrable }: DomainName): string[] {
  return [
    `Delete A, AAAA and other records named ${label} first: a CNAME cannot stand beside them.`,
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
