import { Alert, Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconAlertTriangle } from '../../icons/icons.ts'
import { type Environment, usageQuery } from '../../api/projects.ts'
import { countText } from '../../parts/count-text.ts'
import { TimeAgo } from '../../parts/time.tsx'
import { useProject } from '../projects/project-context.ts'

/** Which keys have to change before an operation is removed. */
export function DeprecatedCallers({ environment }: { environment: Environment }) {
  const { slug } = useProject()
  const { data } = useQuery(usageQuery(slug, { environment, days: 30 }))
  const callers = data?.deprecated.filter((caller) => caller.environment === environment) ?? []
  if (callers.length === 0) return null
  return (
    <Alert
      className="notice is-warm"
      icon={<IconAlertTriangle size={20} />}
      title="These keys still call a deprecated operation"
    >
      <Text size="sm">
        <code>GET /pets/{'{petId}'}</code> will be removed on 5 December 2030. Use <code>GET /pets</code> with the{' '}
        <code>status</code> filter instead.{' '}
        <Anchor href="/docs/animals/#getPet" target="_blank" rel="noopener" size="sm">
          Read about it
        </Anchor>
      </Text>
      <ul className="callers">
        {callers.map(({ keyId, operation, name, hint, calls, lastAt }) => (
          <li key={`${keyId} ${operation}`}>
            <strong>{name}</strong> <span className="mono">{hint}</span>: {countText(calls, 'request')} in 30 days, the
            last one <TimeAgo at={lastAt} />
          </li>
        ))}
      </ul>
    </Alert>
  )
}
