import { Group, NativeSelect } from '@mantine/core'
import { readInt64 } from '../../../../client/src/int64.ts'
import { PET_STATUSES } from '../../../../src/features/pets/status.ts'
import { petsPage } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { ExportMenu } from '../../parts/export-menu.tsx'
import { exportAll } from '../../parts/export-rows.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { StatusFilter } from '../../parts/status-filter.tsx'
import type { ListAddress } from '../../parts/use-list-address.ts'
import { useProject } from '../projects/project-context.ts'
import { PET_COLUMNS } from './export-columns.ts'
import { idIn, type Look, ORDERS } from './look.ts'

interface PetsToolbarProps {
  environment: Environment
  address: ListAddress
  look: Look
}

export function PetsToolbar({ environment, address, look }: PetsToolbarProps) {
  const { slug } = useProject()
  const isByName = look.text !== '' && idIn(look.text) === undefined
  return (
    <Group p="sm" pl="lg" gap="xs" className="list-tools" role="search" aria-label="Animals">
      <SearchField
        withIcon
        label="Search by name or id"
        placeholder="Search by name or id"
        flex={1}
        miw="11rem"
        value={look.text}
        search={(text) => address.look({ q: text }, { replace: true })}
      />
      <StatusFilter known={PET_STATUSES} value={look.status} change={(status) => address.look({ status })} />
      <SearchField
        label="Category"
        placeholder="Category"
        inputMode="numeric"
        w="6.75rem"
        error={look.category !== '' && readInt64(look.category) === undefined}
        value={look.category}
        search={(category) => address.look({ category }, { replace: true })}
      />
      <NativeSelect
        aria-label="Order"
        className="only-narrow"
        size="xs"
        w="8rem"
        disabled={isByName}
        value={look.order}
        data={Object.entries(ORDERS).map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget: { value } }) => address.look({ order: value === 'newest' ? null : value })}
      />
      <ExportMenu
        label={look.isFiltered ? 'Export these' : 'Export'}
        variant="default"
        size="xs"
        choose={(format) =>
          exportAll(`animals-${environment}`, format, PET_COLUMNS, look.query, (query) =>
            petsPage(slug, environment, query),
          )
        }
      />
    </Group>
  )
}
