import { Skeleton, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react'
import type { CSSProperties, ReactElement, ReactNode } from 'react'
import { InRow } from './in-row.ts'

export interface Column<Item> {
  className?: string
  /** Weight of its letters. */
  fw?: number | undefined
  /** Where its text stands. */
  ta?: 'right' | undefined
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

/** Elements of the browser's own: a table of Mantine's brings 24 KB of script, and 600 components for 100 rows. */
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
    <table className={isStale ? `${className} is-stale` : className} aria-busy={isStale}>
      <thead>
        <tr>
          {selection && <ChooseAll items={items ?? []} selection={selection} />}
          {columns.map(({ head, onlyWide, ta, sort }, at) => (
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
          ))}
        </tr>
      </thead>
      <tbody>
        <InRow value>
          {items?.length === 0 && empty !== undefined && (
            <tr>
              <td colSpan={width}>
                <Text size="sm" c="dimmed">
                  {empty}
                </Text>
              </td>
            </tr>
          )}
          {items?.map((item) => (
            <tr key={keyOf(item)} {...(selection?.has(item) ? { 'data-chosen': true } : {})}>
              {selection && (
                <td className="choice">
                  <input
                    type="checkbox"
                    className="choice-box"
                    aria-label={`Select ${selection.nameOf(item)}`}
                    checked={selection.has(item)}
                    onChange={(event) => selection.choose([item], event.currentTarget.checked)}
                  />
                </td>
              )}
              {columns.map(({ head, onlyWide, cell, className: look = '', fw, ta }, at) => (
                <td
                  key={at}
                  data-label={head}
                  className={onlyWide ? `${look} only-wide` : look}
                  {...styleOf({ fw, ta })}
                >
                  {cell(item)}
                </td>
              ))}
            </tr>
          )) ??
            Array.from({ length: waitingRows }, (_, row) => (
              <tr key={row}>
                {selection && <td className="choice" />}
                {columns.map(({ onlyWide }, at) => (
                  <td key={at} {...(onlyWide ? { className: 'only-wide' } : {})}>
                    <Skeleton height={14} width={at === 0 ? '55%' : '75%'} />
                  </td>
                ))}
              </tr>
            ))}
        </InRow>
      </tbody>
    </table>
  )
}

function styleOf({ fw, ta }: Pick<Column<unknown>, 'fw' | 'ta'>): { style?: CSSProperties } {
  if (fw === undefined && ta === undefined) return {}
  return { style: { ...(fw === undefined ? {} : { fontWeight: fw }), ...(ta === undefined ? {} : { textAlign: ta }) } }
}

function ChooseAll<Item>({ items, selection }: { items: readonly Item[]; selection: Selection<Item> }) {
  const chosen = items.filter((item) => selection.has(item)).length
  return (
    <th className="choice">
      <input
        type="checkbox"
        className="choice-box"
        aria-label="Select all on this page"
        checked={items.length > 0 && chosen === items.length}
        ref={(box) => {
          if (box) box.indeterminate = chosen > 0 && chosen < items.length
        }}
        disabled={items.length === 0}
        onChange={(event) => selection.choose(items, event.currentTarget.checked)}
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
