import { notifications } from '@mantine/notifications'
import type { Page, PageSearch } from '../../../client/src/platform/platform.ts'
import { isPassing, messageOf } from '../api/platform.ts'
import { staySignal } from '../stay.ts'
import { countText } from './count-text.ts'
import { type ExportFormat, exportText } from './export-text.ts'
import { pauseOf } from './pause-of.ts'

const TYPES: Record<ExportFormat, string> = { csv: 'text/csv', ndjson: 'application/x-ndjson' }
const PAGE_MAX = '100'
const TRIES_MAX = 5

/** Saves them as a file of this name, which the format ends. */
export function exportRows<Row extends object>(
  name: string,
  format: ExportFormat,
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
): void {
  save(`${name}.${format}`, new Blob([exportText(format, columns, rows)], { type: TYPES[format] }))
  notifications.show({ message: `${countText(rows.length, 'row')} exported as ${name}.${format}.` })
}

/** Every page of a list, one after the other; people may go on with other things meanwhile, until they sign out. */
export async function exportAll<Row extends object>(
  name: string,
  format: ExportFormat,
  columns: readonly (keyof Row & string)[],
  { cursor: _, ...look }: PageSearch,
  ask: (query: PageSearch) => Promise<Page<Row>>,
): Promise<void> {
  const id = notifications.show({ loading: true, autoClose: false, withCloseButton: false, message: 'Exporting…' })
  const stay = staySignal()
  try {
    const rows: Row[] = []
    let query: PageSearch | undefined = { ...look, limit: PAGE_MAX }
    while (query) {
      const page: Page<Row> = await insistently(ask, query)
      if (stay.aborted) return
      rows.push(...page.items)
      query = page.next
      notifications.update({ id, loading: true, message: `Exporting… ${countText(rows.length, 'row')} so far.` })
    }
    exportRows(name, format, columns, rows)
  } catch (error) {
    if (stay.aborted) return
    notifications.show({ color: 'red', title: 'Nothing was exported', message: messageOf(error) })
  } finally {
    notifications.hide(id)
  }
}

/** One page in a thousand that fails for a moment does not throw away the others. */
async function insistently<Row>(ask: (query: PageSearch) => Promise<Page<Row>>, query: PageSearch, tries = 1) {
  try {
    return await ask(query)
  } catch (error) {
    if (tries === TRIES_MAX || !isPassing(error)) throw error
    await new Promise((resolve) => setTimeout(resolve, pauseOf(error)))
    return insistently(ask, query, tries + 1)
  }
}

function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
