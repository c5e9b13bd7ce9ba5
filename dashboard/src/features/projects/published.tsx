import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { deploysQuery } from '../../api/deploys.ts'
import { countText } from '../../parts/count-text.ts'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { WaitingLines } from '../../parts/waiting.tsx'
import { sourceText } from '../deploys/source-text.ts'
import { DomainHealth } from '../domains/domain-health.tsx'
import { useProject } from './project-context.ts'

/** Where the project is published, and how that is going. */
export function Published() {
  const { slug, url } = useProject()
  const deploys = useQuery(deploysQuery(slug))
  const active = deploys.data?.find((deploy) => deploy.active)
  return (
    <Section title="Published" description="One site, whichever environment is shown.">
      <QueryGuard query={deploys} waiting={<WaitingLines />}>
        {() => (
          <dl className="facts">
            <dt>Address</dt>
            <dd>
              <Anchor href={url} target="_blank" rel="noopener" className="wrap-anywhere">
                {new URL(url).host}
              </Anchor>
            </dd>
            <dt>Active deploy</dt>
            <dd>
              {active ? (
                <>
                  <Anchor component={Link} href={`/projects/${slug}/deploys`}>
                    {sourceText(active)}
                  </Anchor>
                  <Text size="xs" c="dimmed">
                    {countText(active.files, 'file')}, <TimeAgo at={active.createdAt} />
                  </Text>
                </>
              ) : (
                <Anchor component={Link} href={`/projects/${slug}/deploys`}>
                  None yet: deploy a site
                </Anchor>
              )}
            </dd>
            <dt>Domains</dt>
            <dd>
              <DomainHealth />
            </dd>
          </dl>
        )}
      </QueryGuard>
    </Section>
  )
}
