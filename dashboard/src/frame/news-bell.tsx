import { ActionIcon, Indicator } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconBell } from '../icons/icons.ts'
import { notificationsQuery } from '../api/notifications.ts'
import { OnDemand } from '../parts/on-demand.tsx'

/** What the service has to say about a project's domains. */
export function NewsBell({ slug }: { slug: string }) {
  const { data } = useQuery(notificationsQuery(slug))
  const unread = data?.unread ?? 0
  return (
    <Indicator disabled={unread === 0} color="var(--red)" size={9} offset={9}>
      <OnDemand load={() => import('./menus/news-popover.tsx')}>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={unread > 0 ? `News, ${unread} unread` : 'News'}>
          <IconBell size={19} stroke={1.7} />
        </ActionIcon>
      </OnDemand>
    </Indicator>
  )
}
