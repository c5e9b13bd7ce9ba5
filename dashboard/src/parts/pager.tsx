import { Button, Group, Select, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconChevronsLeft } from '@tabler/icons-react'
import type { PageSearch } from '../../../client/src/platform/platform.ts'
import { type ListAddress, PAGE_SIZES } from './use-list-address.ts'

interface PagerProps {
  address: ListAddress
  /** The query of the next page, where there is one. */
  next: PageSearch | undefined
  isMoving: boolean
}

/** There is no last page to jump to: the list may be of any length. */
export function Pager({ address, next, isMoving }: PagerProps) {
  const { pageNumber, hasTrail, cursor, size } = address
  if (cursor === '' && next === undefined && size === PAGE_SIZES[0]) return null
  return (
    <Group justify="space-between" gap="xs" p="sm" role="navigation" aria-label="Pages">
      <Select
        aria-label="Rows on a page"
        size="xs"
        w={126}
        allowDeselect={false}
        value={size}
        data={PAGE_SIZES.map((value) => ({ value, label: `${value} on a page` }))}
        onChange={(chosen) => address.look({ size: chosen === PAGE_SIZES[0] ? null : chosen })}
      />
      <Group gap="xs">
        {pageNumber !== undefined && (
          <Text size="sm" c="dimmed" className="number" mr="xs" role="status">
            Page {pageNumber}
          </Text>
        )}
        {cursor !== '' && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconChevronsLeft size={14} />}
            onClick={address.first}
            aria-label="First page"
          >
            First
          </Button>
        )}
        <Button
          variant="default"
          size="xs"
          disabled={!hasTrail}
          leftSection={<IconChevronLeft size={14} />}
          onClick={address.previous}
        >
          Previous
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={next === undefined}
          loading={isMoving}
          rightSection={<IconChevronRight size={14} />}
          onClick={() => next && address.next(String(next.cursor))}
        >
          Next
        </Button>
      </Group>
    </Group>
  )
}
