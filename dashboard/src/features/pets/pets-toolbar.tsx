import { Group, NativeSelect } from '@mantine/core'
import { memo } from 'react'
import { readInt64 } from '../../../../client/src/int64.ts'
import { PET_STATUSES } from '../../../../src/features/pets/status.ts'
import { type PetsLook, petsPage } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { ExportMenu } from '../../parts/export-menu.tsx'
import { exportAll } from '../../parts/export-rows.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { StatusFilter } from '../../parts/status-filter.tsx'
import type { ListAddress } from '../../parts/use-list-address.ts'
import { useProject } from '../projects/project-context.ts'
import { PET_COLUMNS } from './export-columns.ts'
import { idIn, type Look, ORDERS } from './look.ts'

interface PetsToolbarProps extends Omit<Look, 'query'> {
  environment: Environment
  change: ListAddress['look']
  query(): PetsLook
}

/** Drawn again where it says something else, and not with every page of the list. */
export const PetsToolbar = memo(function PetsToolbar({ environment, change, query, ...look }: PetsToolbarProps) {
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
        search={(text) => change({ q: text }, { replace: true })}
      />
      <StatusFilter known={PET_STATUSES} value={look.status} change={(status) => change({ status })} />
      <SearchField
        label="Category"
        placeholder="Category"
        inputMode="numeric"
        w="6.75rem"
        error={look.category !== '' && readInt64(look.category) === undefined}
        value={look.category}
        search={(category) => change({ category }, { replace: true })}
      />
      <NativeSelect
        aria-label="Order"
        className="only-narrow"
        size="xs"
        w="8rem"
        disabled={isByName}
        value={look.order}
        data={Object.entries(ORDERS).map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget: { value } }) => change({ order: value === 'newest' ? null : value })}
      />
      <ExportMenu
        label={look.isFiltered ? 'Export these' : 'Export'}
        variant="default"
        size="xs"
        choose={(format) =>
          exportAll(`animals-${environment}`, format, PET_COLUMNS, query(), (asked) =>
            petsPage(slug, environment, asked),
          )
        }
      />
    </Group>
  )
})
