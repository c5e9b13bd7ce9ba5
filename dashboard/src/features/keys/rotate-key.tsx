import { Text } from '@mantine/core'
import { type Key, rotateKey } from '../../api/keys.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import type { Opener } from '../../parts/give-back-focus.ts'
import { OVERLAP_DEFAULT, OverlapSelect } from '../../parts/overlap-select.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'
import { newKeyOnce } from './new-key-once.tsx'

interface RotateKeyProps {
  apiKey: Key
  opened: boolean
  close(): void
  opener: Opener
}

/** A new key with the same rights, while the old one goes on for a while. */
export default function RotateKey({ apiKey, opened, close, opener }: RotateKeyProps) {
  const { slug } = useProject()
  return (
    <FormDialog
      opened={opened}
      close={close}
      opener={opener}
      title={`Rotate “${apiKey.name}”`}
      action="Rotate key"
      initial={{ overlapHours: OVERLAP_DEFAULT }}
      send={({ overlapHours }) => rotateKey(slug, apiKey.id, Number(overlapHours))}
      secret={(minted) => newKeyOnce(minted, opener)}
      sent={() => queryClient.invalidateQueries({ queryKey: ['projects', slug, 'keys'] })}
    >
      {({ overlapHours }, set) => (
        <>
          <Text size="sm" c="dimmed">
            You get a new key with the same name and scopes. Put it in place before the old one ends.
          </Text>
          <OverlapSelect
            label="The old key goes on working for"
            hoursMax={720}
            value={overlapHours}
            choose={(chosen) => set({ overlapHours: chosen })}
          />
        </>
      )}
    </FormDialog>
  )
}
