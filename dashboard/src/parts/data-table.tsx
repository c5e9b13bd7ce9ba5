import { Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactElement, type ReactNode, startTransition, useOptimistic } from 'react'
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '../icons/icons.ts'
import { InRow } from './in-row.ts'
import { type Column, type Selection, styleOf, TableRow } from './table-row.tsx'
import { useDrawnRows } from './use-drawn-rows.ts'
import { WaitingBar } from './waiting-bar.tsx'

export type { Column }

export interface Sort {
  direction: 'ascending' | 'descending' | 'none'
  change(): void
}

interface DataTableProps<Item> {
  /** A row is drawn again only where these, its item or its choice are others: lists that grow long keep them. */
  columns: readonly Column<Item>[]
  /** Those of a row that has others. */
  columnsOf?(item: Item): readonly Column<Item>[]
  /** By the heading of the column. */
  sorts?: Readonly<Record<string, Sort>>
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

const DIM_AFTER_MS = 250

/** Elements of the browser's own: a table of Mantine's brings 24 KB of script, and 600 components for 100 rows. */
export function DataTable<Item>({
  columns,
  columnsOf = () => columns,
  sorts = {},
  items,
  keyOf,
  waitingRows = 6,
  empty,
  selection,
  isStale = false,
  className = 'rows',
}: DataTableProps<Item>) {
  // Rows that are there in a moment need no sign that they are on their way: a hundred are drawn anew for it.
  const [wasStale] = useDebouncedValue(isStale, DIM_AFTER_MS)
  const { drawn, toComePx, isBehind } = useDrawnRows(items, keyOf)
  if (items?.length === 0 && typeof empty === 'object') return empty
  const width = columns.length + (selection ? 1 : 0)
  return (
    <table className={isStale && wasStale ? `${className} is-stale` : className} aria-busy={isStale || isBehind}>
      <thead>
        <tr>
          {selection && <ChooseAll items={items ?? []} selection={selection} />}
          {columns.map(({ head, onlyWide, ta }, at) => {
            const sort = head === undefined ? undefined : sorts[head]
            return (
              <th
                key={at}
                {...(onlyWide ? { className: 'only-wide' } : {})}
                {...styleOf({ ta })}
                {...(sort ? { 'aria-sort': sort.direction } : {})}
              >
                {sort && head !== undefined ? (
                  <SortButton head={head} sort={sort} />
                ) : (
                  (head ?? <VisuallyHidden>Actions</VisuallyHidden>)
                )}
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody {...(items ? {} : { className: 'waiting' })}>
        <InRow value>
          {items?.length === 0 && empty !== undefined && <Line width={width}>{empty}</Line>}
          {drawn?.map((item) => (
            <TableRow
              key={keyOf(item)}
              item={item}
              columns={columnsOf(item)}
              isChosen={selection?.has(item) ?? false}
              nameOf={selection?.nameOf}
              choose={selection?.choose}
            />
          )) ?? <WaitingRows rows={waitingRows} columns={columns} withChoice={selection !== undefined} />}
          {toComePx > 0 && (
            <tr aria-hidden="true">
              <td colSpan={width} style={{ height: toComePx }} />
            </tr>
          )}
        </InRow>
      </tbody>
    </table>
  )
}

function Line({ width, children }: { width: number; children: ReactNode }) {
  return (
    <tr>
      <td colSpan={width}>
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      </td>
    </tr>
  )
}

interface WaitingRowsProps {
  rows: number
  columns: readonly Pick<Column<never>, 'onlyWide'>[]
  withChoice: boolean
}

function WaitingRows({ rows, columns, withChoice }: WaitingRowsProps) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row}>
      {withChoice && <td className="choice" />}
      {columns.map(({ onlyWide }, at) => (
        <td key={at} {...(onlyWide ? { className: 'only-wide' } : {})}>
          <WaitingBar height={14} width={at === 0 ? '55%' : '75%'} />
        </td>
      ))}
    </tr>
  ))
}

function ChooseAll<Item>({ items, selection }: { items: readonly Item[]; selection: Selection<Item> }) {
  const chosen = items.filter((item) => selection.has(item)).length
  // The box says at once what a hundred rows say a moment later.
  const [isChosen, setChosen] = useOptimistic(items.length > 0 && chosen === items.length)
  const choose = (all: boolean) =>
    startTransition(() => {
      setChosen(all)
      selection.choose(items, all)
    })
  return (
    <th className="choice">
      <input
        type="checkbox"
        className="choice-box"
        aria-label="Select all on this page"
        checked={isChosen}
        ref={(box) => {
          if (box) box.indeterminate = !isChosen && chosen > 0 && chosen < items.length
        }}
        disabled={items.length === 0}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
    </th>
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
