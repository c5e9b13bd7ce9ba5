import { Button, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'

interface PagerProps {
  number: number
  hasPrevious: boolean
  hasNext: boolean
  isMoving: boolean
  previous(): void
  next(): void
}

/** There is no last page to jump to: the list may be of any length. */
export function Pager({ number, hasPrevious, hasNext, isMoving, previous, next }: PagerProps) {
  if (!hasPrevious && !hasNext) return null
  return (
    <Group justify="flex-end" gap="xs" p="sm" role="navigation" aria-label="Pages">
      <Text size="sm" c="dimmed" className="number" mr="xs">
        Page {number}
      </Text>
      <Button
        variant="default"
        size="xs"
        disabled={!hasPrevious}
        leftSection={<IconChevronLeft size={14} />}
        onClick={previous}
      >
        Previous
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={!hasNext}
        loading={isMoving}
        rightSection={<IconChevronRight size={14} />}
        onClick={next}
      >
        Next
      </Button>
    </Group>
  )
}
