import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'

interface PageProps {
  title: string
  /** Instead of the title's text, where the heading is more than a word. */
  heading?: ReactNode
  /** Where the page belongs: a link back, or a word. */
  above?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** Whoever opens an address begins at the top of the document, where the link stands that skips the side bar. */
const openedAt = location.href

/** What every page begins with. A new page takes the focus: the keyboard and screen readers start at its top. */
export function Page({ title, heading, above, description, actions, children }: PageProps) {
  const top = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Petstore`
    const isElsewhere =
      document.activeElement === document.body || document.activeElement?.closest('.side, .side-drawer')
    if (isElsewhere && location.href !== openedAt) top.current?.focus({ preventScroll: true })
  }, [title])

  return (
    <Stack gap="lg">
      <Stack gap={6}>
        {above !== undefined && <div className="page-above">{above}</div>}
        <Group justify="space-between" align="flex-end" gap="md">
          {/* Room for a button beside it on a phone; more of them go below. */}
          <Title order={1} ref={top} tabIndex={-1} className="wrap-anywhere" flex={1} miw="14rem">
            {heading ?? title}
          </Title>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
        {description !== undefined && (
          <Text c="dimmed" maw="44rem">
            {description}
          </Text>
        )}
      </Stack>
      {children}
    </Stack>
  )
}
