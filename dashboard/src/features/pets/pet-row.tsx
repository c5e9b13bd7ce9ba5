import { ActionIcon, Menu, Table, Tooltip, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconPencil } from '@tabler/icons-react'
import { allowedFrom } from '../../../../src/features/pets/status.ts'
import type { Pet } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { StatusTag } from './status-tag.tsx'
import { useStatusChange } from './use-status-change.ts'

const VERBS = { available: 'Make available', pending: 'Make pending', sold: 'Mark as sold' } as const

interface PetRowProps {
  pet: Pet
  environment: Environment
  edit(): void
}

export function PetRow({ pet, environment, edit }: PetRowProps) {
  const project = useProject()
  const change = useStatusChange(project.slug, environment)
  return (
    <Table.Tr>
      <Table.Td className="mono">{String(pet.id)}</Table.Td>
      <Table.Td className="wrap-anywhere" fw={550}>
        {pet.name}
      </Table.Td>
      <Table.Td className="mono only-wide">{String(pet.categoryId)}</Table.Td>
      <Table.Td>
        {mayEdit(project) ? (
          <Menu position="bottom-start">
            <Menu.Target>
              <UnstyledButton className="status-button" aria-label={`Status of ${pet.name}: ${pet.status}. Change it`}>
                <StatusTag status={pet.status} />
                <IconChevronDown size={14} aria-hidden="true" />
              </UnstyledButton>
            </Menu.Target>
            <Menu.Dropdown>
              {allowedFrom(pet.status).map((status) => (
                <Menu.Item key={status} onClick={() => change.mutate({ pet, status })}>
                  {pet.status === 'sold' ? `${VERBS[status]} (a return)` : VERBS[status]}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        ) : (
          <StatusTag status={pet.status} />
        )}
      </Table.Td>
      <Table.Td ta="right">
        {mayEdit(project) && (
          <Tooltip label="Edit">
            <ActionIcon variant="subtle" color="gray" aria-label={`Edit ${pet.name}`} onClick={edit}>
              <IconPencil size={17} stroke={1.7} />
            </ActionIcon>
          </Tooltip>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
