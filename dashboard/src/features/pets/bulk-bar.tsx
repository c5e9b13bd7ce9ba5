import { ActionBar, Button, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useRef } from 'react'
import { IconChevronDown, IconTrash } from '../../icons/icons.ts'
import { PET_STATUSES } from '../../../../src/features/pets/status.ts'
import type { Pet } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { DeletePets } from './delete-pets.tsx'
import { PET_COLUMNS } from './export-columns.ts'
import { STATUS_VERBS } from './status-menu.tsx'
import { countText } from '../../parts/count-text.ts'
import { ExportMenu } from '../../parts/export-menu.tsx'
import { exportRows } from '../../parts/export-rows.ts'
import { changeable, useStatusChange } from './use-status-change.ts'

interface BulkBarProps {
  environment: Environment
  pets: readonly Pet[]
  clear(): void
  /** Those that are no longer there. */
  drop(pets: readonly Pet[]): void
}

/** What can be done to all that are chosen. */
export default function BulkBar({ environment, pets, clear, drop }: BulkBarProps) {
  const project = useProject()
  const change = useStatusChange(environment)
  const [deleting, { open, close }] = useDisclosure(false)
  const deleter = useRef<HTMLButtonElement>(null)
  return (
    <>
      <ActionBar
        opened={pets.length > 0}
        onClose={clear}
        aria-label="Selected animals"
        withinPortal={false}
        className="bulk-bar"
      >
        <Text size="sm" fw={600} className="number" role="status">
          {countText(pets.length, 'animal')} selected
        </Text>
        <ActionBar.Divider />
        {mayEdit(project) && (
          <Menu position="top">
            <Menu.Target>
              <Button
                variant="default"
                size="xs"
                loading={change.isPending}
                rightSection={<IconChevronDown size={14} aria-hidden="true" />}
              >
                Status
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {PET_STATUSES.map((status) => {
                const those = changeable(pets, status)
                return (
                  <Menu.Item
                    key={status}
                    disabled={those.length === 0}
                    onClick={() => change.mutate({ pets: those, status }, { onSuccess: clear })}
                  >
                    {STATUS_VERBS[status]} ({those.length})
                  </Menu.Item>
                )
              })}
            </Menu.Dropdown>
          </Menu>
        )}
        <ExportMenu
          label="Export"
          variant="default"
          size="xs"
          choose={(format) => exportRows(`animals-${environment}`, format, PET_COLUMNS, pets)}
        />
        {mayEdit(project) && (
          <Button
            ref={deleter}
            variant="light"
            color="red"
            size="xs"
            leftSection={<IconTrash size={15} />}
            onClick={open}
          >
            Delete…
          </Button>
        )}
        <ActionBar.CloseButton aria-label="Clear the selection" />
      </ActionBar>
      <DeletePets
        environment={environment}
        pets={pets}
        opened={deleting}
        close={close}
        opener={deleter}
        deleted={drop}
      />
    </>
  )
}
