import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { deletePet, type Pet } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { each } from '../../parts/each.ts'
import type { Opener } from '../../parts/give-back-focus.ts'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'
import { countText } from '../../parts/count-text.ts'
import { RefusedList, sayRefused } from './refused.tsx'

interface DeletePetsProps {
  environment: Environment
  pets: readonly Pet[]
  opened: boolean
  close(): void
  opener?: Opener
  deleted(pets: readonly Pet[]): void
}

const NAMED_MAX = 5

/** Asks, deletes one after the other, and says which were refused. */
export function DeletePets({ environment, pets, opened, close, opener, deleted }: DeletePetsProps) {
  const { slug } = useProject()
  const [progress, setProgress] = useState<{ stop: AbortSignal; text: string }>()
  const what = pets.length === 1 ? (pets[0]?.name ?? '') : countText(pets.length, 'animal')
  return (
    <Confirm
      opened={opened}
      close={close}
      {...(opener ? { opener } : {})}
      title={`Delete ${what} from ${environment}?`}
      subject={pets.map(({ id }) => id).join()}
      action="Delete"
      leave={pets.length === 1 ? 'Close' : 'Stop'}
      send={(_, stop) => {
        const tell = (done: number) =>
          pets.length > 1 && !stop.aborted && setProgress({ stop, text: `Deleting… ${done} of ${pets.length}` })
        tell(0)
        return each(pets, (pet) => deletePet(slug, environment, pet.id), { progress: tell, stop })
      }}
      sent={async ({ done: gone, failed, left }, _, { aborted: isStopped }) => {
        await queryClient.invalidateQueries({ queryKey: ['projects', slug] })
        if (gone.length > 0) {
          const [only] = gone
          const names = gone.length === 1 ? only?.name : countText(gone.length, 'animal')
          const rest = left.length > 0 ? ` ${countText(left.length, 'other')} stayed.` : ''
          notifications.show({ message: `${names} deleted from ${environment}.${rest}` })
        } else if (left.length > 0) {
          const stayed = `${countText(left.length, 'animal')} stayed`
          notifications.show({ message: `Nothing deleted from ${environment}: ${stayed}.` })
        }
        if (isStopped) sayRefused(failed, 'Some were not deleted')
        if (gone.length > 0) deleted(gone)
      }}
      outcome={({ failed }) =>
        failed.length === 0 ? null : (
          <Stack>
            <Text size="sm">{countText(failed.length, 'animal')} could not be deleted:</Text>
            <RefusedList refused={failed} />
            <Group justify="flex-end">
              <Button onClick={close}>Close</Button>
            </Group>
          </Stack>
        )
      }
    >
      <p>
        {pets
          .slice(0, NAMED_MAX)
          .map(({ name }) => name)
          .join(', ')}
        {pets.length > NAMED_MAX && ` and ${countText(pets.length - NAMED_MAX, 'animal')} more`}
      </p>
      <p>This cannot be taken back. Ended orders stay; an animal that an open order holds is not deleted.</p>
      {/* Not on the button, which hides its words while it is busy. */}
      {progress?.stop.aborted === false && <p role="status">{progress.text}</p>}
    </Confirm>
  )
}
