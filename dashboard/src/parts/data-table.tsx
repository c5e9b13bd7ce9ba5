import { Checkbox, Skeleton, Table, type TableTdProps, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react'
import type { ReactElement, ReactNode } from 'react'
import { InRow } from './in-row.ts'

export interface Column<Item> extends Pick<TableTdProps, 'className' | 'fw' | 'ta'> {
  /** A column of buttons needs no heading for those who see them. */
  head?: string
  /** Left out on narrow screens. */
  onlyWide?: true
  sort?: Sort
  cell(item: Item): ReactNode
}

export interface Sort {
  direction: 'ascending' | 'descending' | 'none'
  change(): void
}

/** Which rows are chosen; they may be of several pages. */
export interface Selection<Item> {
  has(item: Item): boolean
  choose(items: readonly Item[], isChosen: boolean): void
  nameOf(item: Item): string
}

interface DataTableProps<Item> {
  columns: readonly Column<Item>[]
  /** Not there yet: the outline of rows stands in their place. */
  items: readonly Item[] | undefined
  keyOf(item: Item): string
  waitingRows?: number
  /** In place of the table, or as a line in it. */
  empty?: ReactElement | string | undefined
  selection?: Selection<Item> | undefined
  /** The rows are those of the question before. */
  isStale?: boolean
  className?: string
}

export function DataTable<Item>({
  columns,
  items,
  keyOf,
  waitingRows = 6,
  empty,
  selection,
  isStale = false,
  className = 'rows',
}: DataTableProps<Item>) {
  if (items?.length === 0 && typeof empty === 'object') return empty
  const width = columns.length + (selection ? 1 : 0)
  return (
    <Table className={isStale ? `${className} is-stale` : className} aria-busy={isStale}>
      <Table.Thead>
        <Table.Tr>
          {selection && <ChooseAll items={items ?? []} selection={selection} />}
          {columns.map(({ head, onlyWide, ta, sort }, at) => (
            <Table.Th
              key={at}
              className={onlyWide && 'only-wide'}
              ta={ta}
              {...(sort ? { 'aria-sort': sort.direction } : {})}
            >
              {sort && head !== undefined ? (
                <SortButton head={head} sort={sort} />
              ) : (
                (head ?? <VisuallyHidden>Actions</VisuallyHidden>)
              )}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        <InRow value>
          {items?.length === 0 && empty !== undefined && (
            <Table.Tr>
              <Table.Td colSpan={width}>
                <Text size="sm" c="dimmed">
                  {empty}
                </Text>
              </Table.Td>
            </Table.Tr>
          )}
          {items?.map((item) => (
            <Table.Tr key={keyOf(item)} {...(selection?.has(item) ? { 'data-chosen': true } : {})}>
              {selection && (
                <Table.Td className="choice">
                  <Checkbox
                    size="xs"
                    aria-label={`Select ${selection.nameOf(item)}`}
                    checked={selection.has(item)}
                    onChange={(event) => selection.choose([item], event.currentTarget.checked)}
                  />
                </Table.Td>
              )}
              {columns.map(({ head, onlyWide, sort: _, cell, className: look = '', ...rest }, at) => (
                <Table.Td key={at} data-label={head} className={onlyWide ? `${look} only-wide` : look} {...rest}>
                  {cell(item)}
                </Table.Td>
              ))}
            </Table.Tr>
          )) ??
            Array.from({ length: waitingRows }, (_, row) => (
              <Table.Tr key={row}>
                {selection && <Table.Td className="choice" />}
                {columns.map(({ onlyWide }, at) => (
                  <Table.Td key={at} className={onlyWide && 'only-wide'}>
                    <Skeleton height={14} width={at === 0 ? '55%' : '75%'} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
        </InRow>
      </Table.Tbody>
    </Table>
  )
}

function ChooseAll<Item>({ items, selection }: { items: readonly Item[]; selection: Selection<Item> }) {
  const chosen = items.filter((item) => selection.has(item)).length
  return (
    <Table.Th className="choice">
      <Checkbox
        size="xs"
        aria-label="Select all on this page"
        checked={items.length > 0 && chosen === items.length}
        indeterminate={chosen > 0 && chosen < items.length}
        disabled={items.length === 0}
        onChange={(event) => selection.choose(items, event.currentTarget.checked)}
      />
    </Table.Th>
  )
}

const SORT_ICONS = { ascending: IconArrowUp, descending: IconArrowDown, none: IconArrowsSort } as const

function SortButton({ head, sort }: { head: string; sort: Sort }) {
  const Icon = SORT_ICONS[sort.direction]
  return (
    <UnstyledButton className="sort-button" onClick={sort.change}>
      {head}
      <Icon size={13} aria-hidden="true" />
    </UnstyledButton>
  )
}
