import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { type Domain, domainsQuery } from '../../api/domains.ts'
import { countText } from '../../parts/count-text.ts'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { daysUntil } from '../../parts/time.tsx'
import { WaitingLines } from '../../parts/waiting.tsx'
import { useProject } from '../projects/project-context.ts'
import { StateTag } from './state-tag.tsx'

const SHOWN_MAX = 4

/** Domains and their certificates, in a few lines. */
export function DomainHealth() {
  const { slug } = useProject()
  return (
    <QueryGuard query={useQuery(domainsQuery(slug))} waiting={<WaitingLines lines={2} />}>
      {(domains) => <Lines domains={domains} />}
    </QueryGuard>
  )
}

function Lines({ domains }: { domains: Domain[] }) {
  const { slug, plan } = useProject()
  const page = `/projects/${slug}/settings/domains`
  if (domains.length === 0) {
    return (
      <Anchor component={Link} href={page}>
        {plan === 'free' ? 'None: they come with Pro' : 'None yet: add yours'}
      </Anchor>
    )
  }
  return (
    <ul className="health">
      {domains.slice(0, SHOWN_MAX).map(({ hostname, unicode, state, switchSeenAt, certificate }) => (
        <li key={hostname}>
          <Anchor component={Link} href={`${page}/${hostname}`} className="wrap-anywhere">
            {unicode}
          </Anchor>{' '}
          <StateTag domain={{ state, switchSeenAt }} />
          {certificate && (
            <Text size="xs" c="dimmed">
              certificate renews in {countText(daysUntil(certificate.renewAt), 'day')}
            </Text>
          )}
        </li>
      ))}
      {domains.length > SHOWN_MAX && (
        <li>
          <Anchor component={Link} href={page}>
            and {domains.length - SHOWN_MAX} more
          </Anchor>
        </li>
      )}
    </ul>
  )
}
