import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { messageOf } from '../../api/api-error.ts'
import { endOtherSessions, endSession, type OpenSession, sessionsQuery } from '../../api/session.ts'
import { ActionsHead } from '../../parts/actions-head.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { WaitingRows } from '../../parts/waiting.tsx'
import { queryClient } from '../../query-client.ts'

const refresh = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })

export function SessionsSection() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  const endOthers = useMutation({
    mutationFn: endOtherSessions,
    onSuccess: ({ ended }) => {
      notifications.show({ message: ended === 1 ? 'One session has ended.' : `${ended} sessions have ended.` })
      return refresh()
    },
  })
  if (error && !sessions) return <Trouble error={error} retry={() => void refetch()} />
  const others = sessions?.filter(({ current }) => !current) ?? []
  return (
    <Section
      flush
      title="Where you are signed in"
      description="End what you do not recognise: it is signed out at once."
      actions={
        others.length > 0 && (
          <Button variant="default" size="xs" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
            End all others
          </Button>
        )
      }
    >
      <Table className="rows">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Device</Table.Th>
            <Table.Th>Network</Table.Th>
            <Table.Th className="only-wide">Signed in</Table.Th>
            <Table.Th className="only-wide">Last seen</Table.Th>
            <ActionsHead />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sessions ? (
            sessions.map((session) => <SessionRow key={session.id} session={session} />)
          ) : (
            <WaitingRows rows={2} columns={5} />
          )}
        </Table.Tbody>
      </Table>
    </Section>
  )
}

function SessionRow({ session }: { session: OpenSession }) {
  const end = useMutation({
    mutationFn: () => endSession(session.id),
    onSettled: refresh,
    onError: (error) => notifications.show({ color: 'red', message: messageOf(error) }),
  })
  const Icon = /Mobi|Android|iPhone/.test(session.userAgent) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <Icon size={20} stroke={1.6} aria-hidden="true" />
          <Stack gap={0}>
            <Text size="sm" fw={550}>
              {deviceName(session.userAgent)}
            </Text>
            {session.current && (
              <span>
                <Tag tone="green">this one</Tag>
              </span>
            )}
          </Stack>
        </Group>
      </Table.Td>
      <Table.Td className="mono">{session.network}</Table.Td>
      <Table.Td className="only-wide">
        <TimeAgo at={session.createdAt} />
      </Table.Td>
      <Table.Td className="only-wide">
        <TimeAgo at={session.lastSeenAt} />
      </Table.Td>
      <Table.Td ta="right">
        {!session.current && (
          <Button size="compact-sm" variant="subtle" color="red" loading={end.isPending} onClick={() => end.mutate()}>
            End
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
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
