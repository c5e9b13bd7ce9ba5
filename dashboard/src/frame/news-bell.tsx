import { ActionIcon, Anchor, Indicator, Popover, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconBell } from '@tabler/icons-react'
import { Link } from 'wouter'
import { markRead, notificationsQuery, type Notification } from '../api/notifications.ts'
import { TimeAgo } from '../parts/time.tsx'
import { queryClient } from '../query-client.ts'

/** What the service has to say about a project's domains. */
export function NewsBell({ slug }: { slug: string }) {
  const [opened, { toggle, close }] = useDisclosure(false)
  const { data } = useQuery(notificationsQuery(slug))
  const unread = data?.unread ?? 0
  const read = useMutation({
    mutationFn: (upTo: number) => markRead(slug, upTo),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['projects', slug, 'notifications'] }),
  })
  const show = () => {
    toggle()
    const newest = data?.notifications[0]
    if (!opened && unread > 0 && newest) read.mutate(newest.id)
  }
  return (
    <Popover
      opened={opened}
      onChange={(open) => !open && close()}
      position="bottom-end"
      width="20rem"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Indicator disabled={unread === 0} color="var(--red)" size={9} offset={9}>
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            onClick={show}
            aria-label={unread > 0 ? `News, ${unread} unread` : 'News'}
          >
            <IconBell size={19} stroke={1.7} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0}>
        <Text fw={600} size="sm" className="news-head">
          News
        </Text>
        {!data || data.notifications.length === 0 ? (
          <Text size="sm" c="dimmed" p="md">
            Nothing yet. You hear from us here when a domain goes live or needs attention.
          </Text>
        ) : (
          <ul className="news" tabIndex={0} aria-label="News">
            {data.notifications.map((item) => (
              <NewsItem key={item.id} item={item} slug={slug} close={close} />
            ))}
          </ul>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

function NewsItem({ item, slug, close }: { item: Notification; slug: string; close(): void }) {
  return (
    <li className={item.readAt === null ? 'is-unread' : undefined}>
      <Stack gap={2}>
        <Anchor
          component={Link}
          href={`/projects/${slug}/settings/domains/${item.hostname}`}
          size="sm"
          fw={600}
          onClick={close}
        >
          {item.title}
        </Anchor>
        <Text size="xs" c="dimmed">
          {item.body}
        </Text>
        <Text size="xs" c="dimmed">
          <TimeAgo at={item.createdAt} />
        </Text>
      </Stack>
    </li>
  )
}
