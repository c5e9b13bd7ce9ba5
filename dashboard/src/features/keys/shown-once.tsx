import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import type { NewKey } from '../../api/keys.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { giveBackFocus, type Opener } from '../../parts/give-back-focus.ts'
import { Snippets } from './snippets.tsx'

interface ShownOnceProps {
  minted: NewKey | null
  close(): void
  /** The dialog before this one is gone when this one closes. */
  opener: Opener
}

/** The only moment at which a key can be read. */
export function ShownOnce({ minted, close, opener }: ShownOnceProps) {
  // The content stays while the dialog fades away.
  const [last, setLast] = useState(minted)
  if (minted && minted !== last) setLast(minted)
  return (
    <Modal
      opened={minted !== null}
      onClose={close}
      title="Your new key"
      size="lg"
      closeOnClickOutside={false}
      {...giveBackFocus(opener)}
    >
      {last && (
        <Stack gap="md">
          <Alert className="notice is-warm" icon={<IconEyeOff size={20} />} title="Copy it now">
            This key is shown this once. Petstore keeps only a fingerprint of it and cannot show it again.
          </Alert>
          <div className="minted">
            <code className="mono wrap-anywhere">{last.key}</code>
            <CopyButton value={last.key} what="the key" data-autofocus>
              Copy
            </CopyButton>
          </div>
          <Snippets environment={last.environment} apiKey={last.key} />
          <Group justify="flex-end">
            <Button onClick={close}>I have stored it</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
