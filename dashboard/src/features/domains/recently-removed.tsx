import { Anchor, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { IconRadar } from '../../icons/icons.ts'
import { domainsKey, findDangling, type RemovedDomain, removedDomainsQuery } from '../../api/domains.ts'
import { Section } from '../../parts/section.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { Refusal } from '../../parts/trouble.tsx'
import { useParameter } from '../../parts/use-parameter.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { DanglingFindings } from './dangling-dns.tsx'

/** What has left the list: a DNS record that nobody needs should go too, and is easily forgotten. */
export function RecentlyRemoved() {
  const { slug } = useProject()
  const { data: removed } = useQuery(removedDomainsQuery(slug))
  const justNow = useParameter('removed')
  if (!removed || removed.length === 0) return null
  return (
    <Section
      flush
      title="Recently removed"
      description={
        'Not served for this project any more. Unless another project has the name now, a DNS record that still ' +
        'points here shows visitors an error page: delete it at your registrar.'
      }
    >
      <ul className="domains">
        {removed.map((domain) => (
          <RemovedItem key={domain.hostname} domain={domain} isJustNow={domain.hostname === justNow} />
        ))}
      </ul>
    </Section>
  )
}

function RemovedItem({ domain, isJustNow }: { domain: RemovedDomain; isJustNow: boolean }) {
  const project = useProject()
  const { hostname, unicode, removedAt } = domain
  const item = useRef<HTMLLIElement>(null)
  const { check, button } = useDanglingCheck(hostname, isJustNow)
  useEffect(() => {
    // The menu that led to the removal is gone: what has become of the domain takes the focus.
    if (isJustNow) item.current?.focus()
  }, [isJustNow])
  return (
    <li className="domain is-removed" ref={item} tabIndex={-1} aria-label={`${unicode}, removed`}>
      <div className="domain-text">
        <Anchor
          component={Link}
          href={`/projects/${project.slug}/settings/domains/${hostname}`}
          fw={600}
          className="wrap-anywhere"
          c="var(--ink-soft)"
        >
          {unicode}
        </Anchor>
        <Text size="sm" c="dimmed">
          removed <TimeAgo at={removedAt} />
        </Text>
      </div>
      {button && <div className="domain-actions">{button}</div>}
      {check && <div className="domain-more">{check}</div>}
    </li>
  )
}

/** The button that asks, and what came of it; at once where somebody has just removed the domain. */
export function useDanglingCheck(hostname: string, atOnce: boolean) {
  const project = useProject()
  const [isAsked, setAsked] = useState(atOnce)
  const look = useQuery({
    queryKey: [...domainsKey(project.slug), hostname, 'dangling'],
    queryFn: () => findDangling(project.slug, hostname),
    enabled: isAsked && mayEdit(project),
    staleTime: Infinity,
  })
  const ask = () => {
    setAsked(true)
    void look.refetch()
  }
  const action = look.data ? 'Check DNS again' : 'Check DNS'
  const button = mayEdit(project) && (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconRadar size={15} />}
      loading={look.isFetching}
      onClick={ask}
      aria-label={`${action}: ${hostname}`}
    >
      {action}
    </Button>
  )
  const check = isAsked && (
    <div aria-live="polite">
      <Refusal error={look.error} />
      {look.data && <DanglingFindings dns={look.data} />}
    </div>
  )
  return { button, check }
}
