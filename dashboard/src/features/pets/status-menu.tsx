import { IconChevronDown } from '../../icons/icons.ts'
import { allowedFrom } from '../../../../src/features/pets/status.ts'
import type { Pet } from '../../api/pets.ts'
import { RowMenu } from '../../parts/row-menu.tsx'
import { StatusTag } from './status-tag.tsx'
import type { ChangeStatus } from './use-status-change.ts'

export const STATUS_VERBS = { available: 'Make available', pending: 'Make pending', sold: 'Mark as sold' } as const

/** The status of an animal, with what it may become, for those who may change it. */
export function StatusMenu({ pet, change }: { pet: Pet; change: ChangeStatus }) {
  return (
    <RowMenu
      position="bottom-start"
      button={
        <button
          type="button"
          className="bare-button status-button"
          aria-label={`Status of ${pet.name}: ${pet.status}. Change it`}
        >
          <StatusTag status={pet.status} />
          <IconChevronDown size={14} aria-hidden="true" />
        </button>
      }
      choices={allowedFrom(pet.status).map((status) => ({
        label: pet.status === 'sold' ? `${STATUS_VERBS[status]} (a return)` : STATUS_VERBS[status],
        choose: () => change({ pets: [pet], status }),
      }))}
    />
  )
}
