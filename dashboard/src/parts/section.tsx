import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface SectionProps {
  title: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** Lets tables reach the edge of the card. */
  flush?: boolean
  dangerous?: boolean
  children?: ReactNode
}

/** A card with a heading of its own. */
export function Section({ title, description, actions, flush = false, dangerous = false, children }: SectionProps) {
  const id = useId()
  return (
    <section className={`card${flush ? ' is-flush' : ''}${dangerous ? ' is-dangerous' : ''}`} aria-labelledby={id}>
      <div className={flush ? 'section-head' : undefined}>
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={2} flex={1} miw="12rem">
            <Title order={2} id={id}>
              {title}
            </Title>
            {description !== undefined && (
              <Text size="sm" c="dimmed" maw="42rem">
                {description}
              </Text>
            )}
          </Stack>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
      </div>
      {children !== undefined && <div className={flush ? undefined : 'section-body'}>{children}</div>}
    </section>
  )
}
