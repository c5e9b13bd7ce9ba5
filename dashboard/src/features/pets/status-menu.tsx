import { UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { allowedFrom } from '../../../../src/features/pets/status.ts'
import type { Pet } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { RowMenu } from '../../parts/row-menu.tsx'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { StatusTag } from './status-tag.tsx'
import { useStatusChange } from './use-status-change.ts'

export const STATUS_VERBS = { available: 'Make available', pending: 'Make pending', sold: 'Mark as sold' } as const

/** The status of an animal, with what it may become for those who may change it. */
export function StatusMenu({ pet, environment }: { pet: Pet; environment: Environment }) {
  const project = useProject()
  const change = useStatusChange(environment)
  if (!mayEdit(project)) return <StatusTag status={pet.status} />
  return (
    <RowMenu
      position="bottom-start"
      button={
        <UnstyledButton className="status-button" aria-label={`Status of ${pet.name}: ${pet.status}. Change it`}>
          <StatusTag status={pet.status} />
          <IconChevronDown size={14} aria-hidden="true" />
        </UnstyledButton>
      }
      choices={allowedFrom(pet.status).map((status) => ({
        label: pet.status === 'sold' ? `${STATUS_VERBS[status]} (a return)` : STATUS_VERBS[status],
        choose: () => change.mutate({ pets: [pet], status }),
      }))}
    />
  )
}
