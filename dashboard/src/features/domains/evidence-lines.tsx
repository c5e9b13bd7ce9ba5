import { useQuery } from '@tanstack/react-query'
import { evidenceQuery, type DnsQuery } from '../../api/domains.ts'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { WaitingLines } from '../../parts/waiting.tsx'
import { useProject } from '../projects/project-context.ts'

interface EvidenceLinesProps {
  hostname: string
  /** Of the queries that show it. */
  ids: readonly string[]
  checkedAt: string
}

/** What was asked and what came back, word for word. */
export function EvidenceLines({ hostname, ids, checkedAt }: EvidenceLinesProps) {
  const { slug } = useProject()
  const evidence = useQuery(evidenceQuery(slug, hostname, checkedAt))
  return (
    <QueryGuard query={evidence} waiting={<WaitingLines lines={2} />}>
      {({ observation }) => (
        <pre className="evidence" tabIndex={0} aria-label="Questions and answers">
          {observation.queries
            .filter(({ id }) => ids.includes(id))
            .map(linesOf)
            .join('\n\n')}
        </pre>
      )}
    </QueryGuard>
  )
}

function linesOf({ server, name, type, rcode, error, durationMs, transport, answers }: DnsQuery): string {
  const how = `${server.address}, ${transport}, ${Math.round(durationMs)} ms`
  const asked = `${name} ${type} @${server.name ?? server.address} (${how})`
  if (error) return `${asked}\n  ${error.message}`
  const records = answers.map((record) => `  ${record.name} ${record.ttl} ${record.type} ${dataText(record.data)}`)
  return [asked, `  ${rcode}${records.length === 0 ? ', no records' : ''}`, ...records].join('\n')
}

function dataText(data: unknown): string {
  return typeof data === 'object' && data !== null ? Object.values(data).join(' ') : String(data)
}
