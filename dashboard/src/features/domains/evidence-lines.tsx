import { useQuery } from '@tanstack/react-query'
import { evidenceQuery, type Query } from '../../api/domains.ts'
import { Trouble } from '../../parts/trouble.tsx'
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
  const { data, error, refetch } = useQuery(evidenceQuery(slug, hostname, checkedAt))
  if (error) return <Trouble error={error} retry={() => void refetch()} />
  if (!data) return <WaitingLines lines={2} />
  const queries = data.observation.queries.filter(({ id }) => ids.includes(id))
  return (
    <pre className="evidence" tabIndex={0} aria-label="Questions and answers">
      {queries.map(linesOf).join('\n\n')}
    </pre>
  )
}

function linesOf({ server, name, type, rcode, error, durationMs, transport, answers }: Query): string {
  const asked = `${name} ${type} @${server.name ?? server.address} (${server.address}, ${transport}, ${Math.round(durationMs)} ms)`
  if (error) return `${asked}\n  ${error.message}`
  const records = answers.map((record) => `  ${record.name} ${record.ttl} ${record.type} ${dataText(record.data)}`)
  return [asked, `  ${rcode}${records.length === 0 ? ', no records' : ''}`, ...records].join('\n')
}

function dataText(data: unknown): string {
  return typeof data === 'object' && data !== null ? Object.values(data).join(' ') : String(data)
}
