import { type CSSProperties, memo, type ReactNode } from 'react'

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
  cell(item: Item): ReactNode
}

/** Which rows are chosen; they may be of several pages. */
export interface Selection<Item> {
  has(item: Item): boolean
  choose(items: readonly Item[], isChosen: boolean): void
  nameOf(item: Item): string
}

interface TableRowProps<Item> {
  item: Item
  columns: readonly Column<Item>[]
  isChosen: boolean
  nameOf: Selection<Item>['nameOf'] | undefined
  choose: Selection<Item>['choose'] | undefined
}

export const TableRow = memo(Row) as typeof Row

function Row<Item>({ item, columns, isChosen, nameOf, choose }: TableRowProps<Item>) {
  return (
    <tr {...(isChosen ? { 'data-chosen': true } : {})}>
      {choose && nameOf && (
        <td className="choice">
          <input
            type="checkbox"
            className="choice-box"
            aria-label={`Select ${nameOf(item)}`}
            checked={isChosen}
            onChange={(event) => choose([item], event.currentTarget.checked)}
          />
        </td>
      )}
      <TableCells item={item} columns={columns} />
    </tr>
  )
}

/** Apart from its row, so that a hundred choices at once draw a hundred boxes and nothing else. */
const TableCells = memo(Cells) as typeof Cells

function Cells<Item>({ item, columns }: Pick<TableRowProps<Item>, 'item' | 'columns'>): ReactNode {
  return columns.map(({ head, onlyWide, cell, className = '', fw, ta }, at) => (
    <td key={at} data-label={head} className={onlyWide ? `${className} only-wide` : className} {...styleOf({ fw, ta })}>
      {cell(item)}
    </td>
  ))
}

export function styleOf({ fw, ta }: Pick<Column<never>, 'fw' | 'ta'>): { style?: CSSProperties } {
  if (fw === undefined && ta === undefined) return {}
  return { style: { ...(fw === undefined ? {} : { fontWeight: fw }), ...(ta === undefined ? {} : { textAlign: ta }) } }
}
