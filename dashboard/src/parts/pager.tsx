import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconChevronsLeft } from '../icons/icons.ts'
import type { BoundedCount, PageSearch } from '../../../client/src/platform/platform.ts'
import { boundedText } from './count-text.ts'
import { type ListAddress, PAGE_SIZES } from './use-list-address.ts'

interface PagerProps {
  address: ListAddress
  /** The query of the next page, where there is one. */
  next: PageSearch | undefined
  isMoving: boolean
  /** Of every page together, once it is known. */
  found: BoundedCount | undefined
  /** What is counted: `animal`. */
  one: string
  /** Where: `in staging`, and of what. */
  where: string
}

/** There is no last page to jump to: the list may be of any length. */
export function Pager({ address, next, isMoving, found, one, where }: PagerProps) {
  const { pageNumber, hasTrail, cursor, size } = address
  const count = (
    <Text size="sm" c="dimmed" className="number list-count" role="status">
      {found && `${boundedText(found, one)} ${where}`}
    </Text>
  )
  if (cursor === '' && next === undefined && size === PAGE_SIZES[0]) return count
  return (
    <Group justify="space-between" gap="xs" p="sm" role="navigation" aria-label="Pages">
      {count}
      <NativeSelect
        aria-label="Rows on a page"
        size="xs"
        w={126}
        value={size}
        data={PAGE_SIZES.map((value) => ({ value, label: `${value} on a page` }))}
        onChange={({ currentTarget: { value } }) => address.look({ size: value === PAGE_SIZES[0] ? null : value })}
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
