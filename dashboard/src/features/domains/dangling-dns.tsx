import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconClockHour4 } from '../../icons/icons.ts'
import type { DanglingDns } from '../../api/domains.ts'

/** What DNS says of a domain after it was removed, and which record to delete where nobody needs it. */
export function DanglingFindings({ dns }: { dns: DanglingDns }) {
  const records = recordsOf(dns)
  const isLeft = dns.pointsHere === true && !dns.isServed
  return (
    <Alert
      className={`notice ${isLeft ? 'is-warm' : dns.pointsHere === false ? 'is-green' : ''}`}
      icon={
        isLeft ? (
          <IconAlertTriangle size={20} />
        ) : dns.pointsHere === null ? (
          <IconClockHour4 size={20} />
        ) : (
          <IconCircleCheck size={20} />
        )
      }
      title={
        dns.pointsHere
          ? 'DNS still points here'
          : dns.pointsHere === false
            ? 'DNS does not point here'
            : 'No clear answer'
      }
    >
      <Stack gap={6}>
        <Text size="sm" className="wrap-anywhere">
          {dns.advice}
        </Text>
        {records.length > 0 && (
          <>
            <Text size="sm">
              {isLeft
                ? 'The record to delete at your registrar:'
                : dns.pointsHere
                  ? 'What the nameservers answer:'
                  : 'What the nameservers answer instead:'}
            </Text>
            <ul className="dangling-records">
              {records.map(({ answer, nameservers }) => (
                <li key={answer}>
                  <span className="mono wrap-anywhere">
                    {dns.hostname} {answer}
                  </span>{' '}
                  <Text span size="xs" c="dimmed">
                    at {nameservers.join(', ')}
                  </Text>
                </li>
              ))}
            </ul>
          </>
        )}
      </Stack>
    </Alert>
  )
}

/** Each answer once, with those who gave it; nothing where there is nothing left. */
function recordsOf({ answers: rows, pointsHere }: DanglingDns) {
  const byAnswer = new Map<string, string[]>()
  for (const { nameserver, answers } of rows) {
    for (const answer of answers) byAnswer.set(answer, [...(byAnswer.get(answer) ?? []), nameserver])
  }
  const all = [...byAnswer].map(([answer, nameservers]) => ({ answer, nameservers }))
  return pointsHere === null ? all : all.filter(({ answer }) => answer.includes('(TTL '))
}
