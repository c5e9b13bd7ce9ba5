import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { IconDeviceDesktop, IconDeviceMobile } from '../../icons/icons.ts'
import { endOtherSessions, endSession, type OpenSession, sessionsQuery } from '../../api/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { countText } from '../../parts/count-text.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { queryClient } from '../../query-client.ts'

const refresh = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })

const COLUMNS: Column<OpenSession>[] = [
  {
    head: 'Device',
    cell: ({ userAgent, current }) => {
      const Icon = /Mobi|Android|iPhone/.test(userAgent) ? IconDeviceMobile : IconDeviceDesktop
      return (
        <Group gap="sm" wrap="nowrap">
          <Icon size={20} stroke={1.6} aria-hidden="true" />
          <Stack gap={0}>
            <Text size="sm" fw={550}>
              {deviceName(userAgent)}
            </Text>
            {current && (
              <span>
                <Tag tone="green">this one</Tag>
              </span>
            )}
          </Stack>
        </Group>
      )
    },
  },
  { head: 'Network', className: 'mono', cell: ({ network }) => network },
  { head: 'Signed in', onlyWide: true, cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  { head: 'Last seen', onlyWide: true, cell: ({ lastSeenAt }) => <TimeAgo at={lastSeenAt} /> },
  { ta: 'right', cell: (session) => !session.current && <EndButton session={session} /> },
]

export default function SessionsSection() {
  const [asking, { open, close }] = useDisclosure(false)
  return (
    <QueryGuard query={useQuery(sessionsQuery)}>
      {(sessions) => (
        <Section
          flush
          title="Where you are signed in"
          description="End what you do not recognise: it is signed out at once."
          actions={
            sessions?.some(({ current }) => !current) && (
              <Button variant="default" size="xs" onClick={open}>
                End all others…
              </Button>
            )
          }
        >
          <DataTable columns={COLUMNS} items={sessions} keyOf={({ id }) => id} waitingRows={2} />
          <Confirm
            opened={asking}
            close={close}
            title="End all other sessions?"
            action="End them"
            send={endOtherSessions}
            sent={({ ended }) => {
              notifications.show({ message: `${countText(ended, 'session has', 'sessions have')} ended.` })
              void refresh()
            }}
          >
            <p>Whoever uses them is signed out at once, and needs your password to come back.</p>
          </Confirm>
        </Section>
      )}
    </QueryGuard>
  )
}

function EndButton({ session: { id, userAgent } }: { session: OpenSession }) {
  const [asking, { open, close }] = useDisclosure(false)
  const device = deviceName(userAgent)
  return (
    <>
      <Button size="compact-sm" variant="subtle" color="red" onClick={open} aria-label={`End ${device}`}>
        End
      </Button>
      <Confirm
        opened={asking}
        close={close}
        title={`End the session of ${device}?`}
        action="End it"
        send={() => endSession(id)}
        sent={() => void refresh()}
      >
        <p>Whoever uses it is signed out at once, and needs your password to come back.</p>
      </Confirm>
    </>
  )
}

/** Browser and system, as far as the browser tells. */
function deviceName(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'A browser'
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1]
  return system ? `${browser} on ${system}` : userAgent.slice(0, 40) || browser
}

const BROWSERS: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(?:e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/Windows/, 'Windows'],
  [/Linux/, 'Linux'],
]
