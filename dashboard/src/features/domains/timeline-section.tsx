import { Text, Timeline } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PROBLEMS } from '../../../../src/features/domains/diagnosis/problems.ts'
import { attemptsQuery, type CertificateAttempt, type DomainCheck, type DomainDetails } from '../../api/domains.ts'
import { notificationsQuery, type Notification } from '../../api/notifications.ts'
import { Section } from '../../parts/section.tsx'
import { TimeAgo, timeText, withLocalTimes } from '../../parts/time.tsx'
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
  const { data: attempts = [] } = useQuery(attemptsQuery(slug, domain))
  const told = news?.notifications.filter(({ hostname }) => hostname === domain.hostname) ?? []
  const moments = [
    ...domain.checks.map(momentOfCheck),
    ...attempts.map(momentOfAttempt),
    ...told.map(momentOfNews),
    ...momentsOf(domain),
  ]
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

function momentOfCheck({ outcome, problems, trigger, firstAt, lastAt, times }: DomainCheck): Moment {
  const who = trigger === 'verify' ? 'Verify' : 'Automatic check'
  const again = times > 1 ? ` ${times} times, since ${timeText(firstAt)}.` : ''
  if (outcome === 'passed')
    return { at: lastAt, tone: 'green', title: `${who}: the DNS record is right`, about: again || undefined }
  const named = sentence(problems.map((code) => (code in PROBLEMS ? code.replaceAll('_', ' ') : code)).join(', '))
  return outcome === 'failed'
    ? { at: lastAt, tone: 'red', title: `${who}: the DNS record is not right`, about: `${named}.${again}` }
    : { at: lastAt, tone: 'warm', title: `${who}: DNS gave no clear answer`, about: `${named}.${again}` }
}

/** Begins with a capital, and writes the abbreviations of DNS as people do. */
function sentence(words: string): string {
  const spelled = words.replaceAll(/\b(?:aaaa|caa|cname|dns|dnssec|nxdomain|servfail|txt)\b/g, (word) =>
    word.toUpperCase(),
  )
  return spelled.slice(0, 1).toUpperCase() + spelled.slice(1)
}

const GOOD_NEWS = new Set<Notification['kind']>(['verified', 'live'])

const momentOfNews = ({ kind, title, body, createdAt }: Notification): Moment => ({
  at: createdAt,
  tone: GOOD_NEWS.has(kind) ? 'green' : 'warm',
  title,
  about: withLocalTimes(body),
})

const ATTEMPTS: Record<CertificateAttempt['result'], Pick<Moment, 'tone' | 'title'>> = {
  issued: { tone: 'green', title: 'Certificate issued' },
  renewed: { tone: 'green', title: 'Certificate renewed' },
  failed: { tone: 'red', title: 'Certificate attempt failed' },
  revoked: { tone: 'warm', title: 'Certificate revoked' },
}

const momentOfAttempt = ({ at, result, problem }: CertificateAttempt): Moment => ({
  at,
  ...ATTEMPTS[result],
  about: problem === null ? undefined : `${PROBLEM_WORDS[problem] ?? problem.replaceAll('_', ' ')}.`,
})

/** What the authority met, in a few words; the whole story of the last one stands at the certificate. */
const PROBLEM_WORDS: Record<string, string> = {
  rate_limited: 'The authority’s limits are reached',
  caa_forbids: 'A CAA record forbids the certificate',
  dns_failed: 'The authority could not resolve the name',
  unreachable: 'The authority could not reach this address',
  tls_failed: 'The authority met a TLS failure',
  challenge_wrong: 'The authority did not find our answer',
  name_refused: 'The authority does not accept this name',
  rejected: 'The authority refused the order',
  ca_unavailable: 'The authority was not available',
  ca_misbehaves: 'The authority gave an answer that makes no sense',
  operator_needed: 'Whoever runs this service has to act',
  order_expired: 'The order has expired',
  order_stuck: 'The authority did not finish the order in time',
  order_lost: 'The authority has lost the order',
  certificate_refused: 'The certificate was not as ordered',
}

function momentsOf({ addedAt, removedAt, hostname }: DomainDetails): Moment[] {
  return [
    { at: addedAt, tone: 'plain', title: `${hostname} was added` },
    ...(removedAt ? [{ at: removedAt, tone: 'red' as const, title: 'Removed' }] : []),
  ]
}
