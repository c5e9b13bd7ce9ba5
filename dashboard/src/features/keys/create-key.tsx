import { Checkbox, Select, Stack, TextInput } from '@mantine/core'
import { createKey } from '../../api/keys.ts'
import type { Environment } from '../../api/projects.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import type { Opener } from '../../parts/give-back-focus.ts'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'
import { newKeyOnce } from './new-key-once.tsx'

interface CreateKeyProps {
  environment: Environment
  opened: boolean
  close(): void
  /** Has the focus once the key is stored. */
  opener: Opener
}

const EXPIRIES = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

const DAY_MS = 86_400_000

/** The days are what counts. An instance of the version before knows the time alone, and would make one without end. */
const endIn = (days: number) => ({
  expiresInDays: days,
  expiresAt: new Date(Date.now() + days * DAY_MS).toISOString(),
})

export default function CreateKey({ environment, opened, close, opener }: CreateKeyProps) {
  const { slug } = useProject()
  return (
    <FormDialog
      opened={opened}
      close={close}
      title={`Create a key for ${environment}`}
      action="Create key"
      initial={{ name: '', scopes: ['read', 'write'] as ('read' | 'write')[], expiry: 'never' }}
      isComplete={({ name, scopes }) => name.trim() !== '' && scopes.length > 0}
      send={({ name, scopes, expiry }) =>
        createKey(slug, {
          environment,
          name: name.trim(),
          scopes,
          ...(expiry === 'never' ? {} : endIn(Number(expiry))),
        })
      }
      secret={(minted) => newKeyOnce(minted, opener)}
      sent={() => queryClient.invalidateQueries({ queryKey: ['projects', slug, 'keys'] })}
    >
      {({ name, scopes, expiry }, set) => (
        <>
          <TextInput
            label="Name"
            description="What will use it, so that you know later."
            placeholder="Till at the front desk"
            required
            maxLength={100}
            data-autofocus
            value={name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <Checkbox.Group
            label="Scopes"
            value={scopes}
            onChange={(chosen) => set({ scopes: chosen as ('read' | 'write')[] })}
          >
            <Stack gap="xs" mt={6}>
              <Checkbox value="read" label="read" description="List and fetch animals and orders" />
              <Checkbox value="write" label="write" description="Add and change them" />
            </Stack>
          </Checkbox.Group>
          <Select
            label="Expires"
            data={EXPIRIES}
            value={expiry}
            allowDeselect={false}
            onChange={(chosen) => set({ expiry: chosen ?? 'never' })}
          />
        </>
      )}
    </FormDialog>
  )
}
