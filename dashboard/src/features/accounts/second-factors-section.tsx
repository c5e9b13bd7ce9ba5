import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { IconDeviceMobile, IconFingerprint } from '../../icons/icons.ts'
import {
  removeSecondFactor,
  renewRecoveryCodes,
  type SecondFactor,
  secondFactorsQuery,
} from '../../api/second-factors.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { countText } from '../../parts/count-text.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { queryClient } from '../../query-client.ts'
import { CurrentPassword } from './current-password.tsx'
import { knowsPasskeys } from './passkey.ts'
import { recoveryCodesOnce } from './recovery-codes.tsx'
import { lateDialog } from '../../parts/late-dialog.tsx'

const AddCodes = lateDialog(() => import('./add-codes.tsx'))
const AddPasskey = lateDialog(() => import('./add-passkey.tsx'))

const refresh = () => queryClient.invalidateQueries({ queryKey: secondFactorsQuery.queryKey })

const LOST = 'Its codes do not work any more: the service has lost their secret. Remove it, and add it anew.'

const COLUMNS: Column<SecondFactor>[] = [
  {
    head: 'Passkey or app',
    cell: ({ kind, name, lost }) => {
      const Icon = kind === 'passkey' ? IconFingerprint : IconDeviceMobile
      return (
        <Group gap="sm" wrap="nowrap">
          <Icon size={20} stroke={1.6} aria-hidden="true" />
          <Stack gap={0}>
            <Text size="sm" fw={550}>
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {lost ? LOST : kind === 'passkey' ? 'Passkey' : 'One-time codes'}
            </Text>
          </Stack>
        </Group>
      )
    },
  },
  { head: 'Added', onlyWide: true, cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  {
    head: 'Last used',
    onlyWide: true,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <TimeAgo at={lastUsedAt} />),
  },
  { ta: 'right', cell: (factor) => <RemoveButton factor={factor} /> },
]

export default function SecondFactorsSection() {
  const [adding, setAdding] = useState<'passkey' | 'codes'>()
  const query = useQuery(secondFactorsQuery)
  const close = () => setAdding(undefined)
  return (
    <Stack gap="lg">
      <QueryGuard query={query}>
        {(known) => (
          <Section
            flush
            title="Passkeys and one-time codes"
            description={
              'With one of these a stolen password opens nothing. A passkey also signs you in by itself. ' +
              'The first one ends your sessions elsewhere.'
            }
            actions={
              <>
                {knowsPasskeys() && (
                  <Button size="xs" onClick={() => setAdding('passkey')}>
                    Add a passkey
                  </Button>
                )}
                <Button size="xs" variant="default" onClick={() => setAdding('codes')}>
                  Add one-time codes
                </Button>
              </>
            }
          >
            {known?.factors.length === 0 ? (
              <Text size="sm" c="dimmed" className="section-empty">
                None yet: your password is all that is asked for.
              </Text>
            ) : (
              <DataTable columns={COLUMNS} items={known?.factors} keyOf={({ id }) => id} waitingRows={1} />
            )}
          </Section>
        )}
      </QueryGuard>
      {query.data && query.data.factors.length > 0 && <RecoverySection left={query.data.recoveryCodesLeft} />}
      <AddPasskey opened={adding === 'passkey'} close={close} added={refresh} />
      <AddCodes opened={adding === 'codes'} close={close} added={refresh} />
    </Stack>
  )
}

function RemoveButton({ factor }: { factor: SecondFactor }) {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        onClick={() => setOpened(true)}
        aria-label={`Remove “${factor.name}”`}
      >
        Remove
      </Button>
      <Confirm
        opened={opened}
        close={() => setOpened(false)}
        title={`Remove “${factor.name}”?`}
        action="Remove"
        initial={{ currentPassword: '' }}
        isComplete={({ currentPassword }) => currentPassword !== ''}
        send={({ currentPassword }) => removeSecondFactor(factor.id, currentPassword)}
        sent={() => {
          notifications.show({ message: `“${factor.name}” has been removed.` })
          return refresh()
        }}
      >
        {({ currentPassword }, set) => (
          <Stack gap="md">
            <Text size="sm">It signs nobody in from now on. Without any, your password is all that is asked for.</Text>
            <CurrentPassword value={currentPassword} set={(changed) => set({ currentPassword: changed })} />
          </Stack>
        )}
      </Confirm>
    </>
  )
}

function RecoverySection({ left }: { left: number }) {
  const codesLeft = countText(left, 'code is', 'codes are')
  const [opened, setOpened] = useState(false)
  const close = () => {
    setOpened(false)
    void refresh()
  }
  return (
    <Section
      title="Recovery codes"
      description={`${codesLeft} left. Each signs you in once when you have lost your device.`}
      actions={
        <Button size="xs" variant="default" onClick={() => setOpened(true)}>
          New recovery codes
        </Button>
      }
    >
      <FormDialog
        opened={opened}
        close={close}
        title="New recovery codes"
        action="Make new codes"
        forgetful
        initial={{ currentPassword: '' }}
        isComplete={({ currentPassword }) => currentPassword !== ''}
        send={({ currentPassword }) => renewRecoveryCodes(currentPassword)}
        secret={({ recoveryCodes }) => recoveryCodesOnce(recoveryCodes)}
      >
        {({ currentPassword }, set) => (
          <>
            <Text size="sm">The old ones stop working.</Text>
            <CurrentPassword value={currentPassword} set={(changed) => set({ currentPassword: changed })} />
          </>
        )}
      </FormDialog>
    </Section>
  )
}
