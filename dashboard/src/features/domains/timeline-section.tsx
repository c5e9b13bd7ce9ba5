import { Text, Timeline } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PROBLEMS } from '../../../../src/features/domains/problems.ts'
import type { CheckView, DomainDetails } from '../../api/domains.ts'
import { notificationsQuery, type NotificationView } from '../../api/notifications.ts'
import { Section } from '../../parts/section.tsx'
import { TimeAgo, timeText } from '../../parts/time.tsx'
import { useProject } from '../projects/project-context.ts'

interface Moment {
  at: string
  tone: 'green' | 'red' | 'warm' | 'plain'
  title: string
  about?: ReactNode
}

const SHOWN_MAX = 12

/** What has happened to the domain, newest first: checks, certificates, and the day it came. */
export function TimelineSection({ domain }: { domain: DomainDetails }) {
  const { slug } = useProject()
  const { data: news } = useQuery(notificationsQuery(slug))
  const told = news?.notifications.filter(({ hostname }) => hostname === domain.hostname) ?? []
  const moments = [...domain.checks.map(momentOfCheck), ...told.map(momentOfNews), ...momentsOf(domain)]
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .slice(0, SHOWN_MAX)
  return (
    <Section title="Timeline">
      <Timeline bulletSize={14} lineWidth={2} active={moments.length}>
        {moments.map(({ at, tone, title, about }) => (
          <Timeline.Item key={`${at} ${title}`} title={title} className={`moment is-${tone}`}>
            {about !== undefined && (
              <Text size="sm" c="dimmed" className="wrap-anywhere">
                {about}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              <TimeAgo at={at} />
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Section>
  )
}

function momentOfCheck({ outcome, problems, trigger, firstAt, lastAt, times }: CheckView): Moment {
  const who = trigger === 'verify' ? 'Verify' : 'Automatic check'
  const again = times > 1 ? ` ${times} times, since ${timeText(firstAt)}.` : ''
  if (outcome === 'passed') return { at: lastAt, tone: 'green', title: `${who}: the DNS record is right`, about: again || undefined }
  const named = problems.map((code) => (code in PROBLEMS ? code.replaceAll('_', ' ') : code)).join(', ')
  return outcome === 'failed'
    ? { at: lastAt, tone: 'red', title: `${who}: the DNS record is not right`, about: `${named}.${again}` }
    : { at: lastAt, tone: 'warm', title: `${who}: DNS gave no clear answer`, about: `${named}.${again}` }
}

const GOOD_NEWS = new Set<NotificationView['kind']>(['verified', 'live'])

const momentOfNews = ({ kind, title, body, createdAt }: NotificationView): Moment => ({
  at: createdAt, tone: GOOD_NEWS.has(kind) ? 'green' : 'warm', title, about: body,
})

function momentsOf({ addedAt, issuance, removedAt, hostname }: DomainDetails): Moment[] {
  return [
    { at: addedAt, tone: 'plain', title: `${hostname} was added` },
    ...(issuance?.problem
      ? [{ at: issuance.since, tone: 'warm' as const, title: 'Certificate attempts', about: `${issuance.failures} failed: ${issuance.problem.message}` }]
      : []),
    ...(removedAt ? [{ at: removedAt, tone: 'red' as const, title: 'Removed' }] : []),
  ]
}
