import type { DnsRecord } from '../../../platform/dns/record.ts'
import type { Observation } from '../observation/observation.ts'
import { beginningOf } from '../../../platform/schema.ts'

/** Records at the hostname that forbid a CNAME there, as people write them, with the queries that show them. */
export function recordsBeside({ hostname, queries }: Observation): { found: string[]; evidence: string[] } {
  const ofWildcard = queries.filter(({ purpose }) => purpose === 'wildcard')
  const sibling = new Set(ofWildcard.flatMap(({ name, answers }) => written(answers, name)))
  const asked = queries.filter(({ purpose }) => purpose === 'beside')
  const telling = asked.filter(({ answers }) => written(answers, hostname).some((text) => !sibling.has(text)))
  const found = telling.flatMap(({ answers }) => written(answers, hostname)).filter((text) => !sibling.has(text))
  return { found, evidence: telling.map(({ id }) => id) }
}

const written = (records: readonly DnsRecord[], owner: string) =>
  records.filter(({ name }) => name === owner).map(textOf)

function textOf(record: DnsRecord): string {
  switch (record.type) {
    case 'TXT':
      return `TXT “${beginningOf(record.data, 100)}”`
    case 'MX':
      return `MX ${record.data.preference} ${record.data.exchange}`
    case 'CAA':
      return `CAA ${record.data.flags} ${record.data.tag} "${record.data.value}"`
    case 'SOA':
      return 'SOA'
    case 'OTHER':
      return NAMES[record.data.type] ?? record.data.type
    default:
      return `${record.type} ${record.data}`
  }
}

/** What the decoder knows only by number. */
const NAMES: Readonly<Record<string, string>> = { UNKNOWN_64: 'SVCB', UNKNOWN_65: 'HTTPS' }
