import { Anchor, Popover, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { cloneElement, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { markRead, type Notification, notificationsQuery } from '../../api/notifications.ts'
import type { OnDemandProps } from '../../parts/on-demand.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { TimeAgo, withLocalTimes } from '../../parts/time.tsx'
import { WaitingLines } from '../../parts/waiting.tsx'
import { queryClient } from '../../query-client.ts'
import { useShownProject } from '../use-shown-project.ts'

export default function NewsPopover({ children, defaultOpened }: OnDemandProps) {
  const slug = useShownProject() ?? ''
  const [opened, setOpened] = useState(defaultOpened)
  const news = useQuery({ ...notificationsQuery(slug), enabled: slug !== '' })
  const { data } = news
  const read = useMutation({
    mutationFn: (upTo: number) => markRead(slug, upTo),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['projects', slug, 'notifications'] }),
  })
  const close = () => setOpened(false)
  useEffect(() => {
    const newest = data?.notifications[0]
    if (opened && data && data.unread > 0 && newest) read.mutate(newest.id)
  }, [opened])
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
      <Popover.Target>{cloneElement(children, { onClick: () => setOpened(!opened) })}</Popover.Target>
      <Popover.Dropdown p={0}>
        <Text fw={600} size="sm" className="news-head">
          News
        </Text>
        <QueryGuard query={news} waiting={<WaitingLines lines={2} />}>
          {({ notifications }) =>
            notifications.length === 0 ? (
              <Text size="sm" c="dimmed" p="md">
                Nothing yet. You hear from us here when a domain goes live or needs attention.
              </Text>
            ) : (
              <ul className="news" tabIndex={0} aria-label="News">
                {notifications.map((item) => (
                  <NewsItem key={item.id} item={item} slug={slug} close={close} />
                ))}
              </ul>
            )
          }
        </QueryGuard>
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
          {withLocalTimes(item.body)}
        </Text>
        <Text size="xs" c="dimmed">
          <TimeAgo at={item.createdAt} />
        </Text>
      </Stack>
    </li>
  )
}
