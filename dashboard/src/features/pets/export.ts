import { notifications } from '@mantine/notifications'
import { messageOf } from '../../api/platform.ts'
import { type Pet, petsPage, type PetsLook } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { countText } from '../../parts/count-text.ts'
import { type ExportFormat, exportText } from './export-text.ts'

const TYPES: Record<ExportFormat, string> = { csv: 'text/csv', ndjson: 'application/x-ndjson' }
const PAGE_MAX = '100'

export function exportPets(environment: Environment, format: ExportFormat, pets: readonly Pet[]): void {
  save(`animals-${environment}.${format}`, new Blob([exportText(format, pets)], { type: TYPES[format] }))
  notifications.show({ message: `${countText(pets.length, 'animal')} of ${environment} exported.` })
}

/** Every page of a list, one after the other; people may go on with other things meanwhile. */
export async function exportAll(
  slug: string,
  environment: Environment,
  format: ExportFormat,
  { cursor: _, ...look }: PetsLook,
): Promise<void> {
  const id = notifications.show({ loading: true, autoClose: false, withCloseButton: false, message: 'Exporting…' })
  try {
    const pets: Pet[] = []
    let query: PetsLook | undefined = { ...look, limit: PAGE_MAX }
    while (query) {
      const page: Awaited<ReturnType<typeof petsPage>> = await petsPage(slug, environment, query)
      pets.push(...page.items)
      query = page.next
      notifications.update({ id, loading: true, message: `Exporting… ${countText(pets.length, 'animal')} so far.` })
    }
    exportPets(environment, format, pets)
  } catch (error) {
    notifications.show({ color: 'red', title: 'The animals were not exported', message: messageOf(error) })
  } finally {
    notifications.hide(id)
  }
}

function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
