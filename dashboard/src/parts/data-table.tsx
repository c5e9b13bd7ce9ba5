import { Skeleton, Table, type TableTdProps, Text, VisuallyHidden } from '@mantine/core'
import { createContext, type ReactElement, type ReactNode } from 'react'

export interface Column<Item> extends Pick<TableTdProps, 'className' | 'fw' | 'ta'> {
  /** A column of buttons needs no heading for those who see them. */
  head?: string
  /** Left out on narrow screens. */
  onlyWide?: true
  cell(item: Item): ReactNode
}

/** Whether something stands in a row: what only tells more when it has the focus is no tab stop there, row by row. */
export const InRow = createContext(false)

interface DataTableProps<Item> {
  columns: readonly Column<Item>[]
  /** Not there yet: the outline of rows stands in their place. */
  items: readonly Item[] | undefined
  keyOf(item: Item): string
  waitingRows?: number
  /** In place of the table, or as a line in it. */
  empty?: ReactElement | string | undefined
  className?: string
}

export function DataTable<Item>({
  columns,
  items,
  keyOf,
  waitingRows = 6,
  empty,
  className = 'rows',
}: DataTableProps<Item>) {
  if (items?.length === 0 && typeof empty === 'object') return empty
  return (
    <Table className={className}>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ head, onlyWide, ta }, at) => (
            <Table.Th key={at} className={onlyWide && 'only-wide'} ta={ta}>
              {head ?? <VisuallyHidden>Actions</VisuallyHidden>}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        <InRow value>
          {items?.length === 0 && empty !== undefined && (
            <Table.Tr>
              <Table.Td colSpan={columns.length}>
                <Text size="sm" c="dimmed">
                  {empty}
                </Text>
              </Table.Td>
            </Table.Tr>
          )}
          {items?.map((item) => (
            <Table.Tr key={keyOf(item)}>
              {columns.map(({ head, onlyWide, cell, className: look = '', ...rest }, at) => (
                <Table.Td key={at} data-label={head} className={onlyWide ? `${look} only-wide` : look} {...rest}>
                  {cell(item)}
                </Table.Td>
              ))}
            </Table.Tr>
          )) ??
            Array.from({ length: waitingRows }, (_, row) => (
              <Table.Tr key={row}>
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
