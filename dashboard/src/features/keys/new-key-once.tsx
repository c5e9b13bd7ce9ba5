import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import type { NewKey } from '../../api/keys.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { Snippets } from './snippets.tsx'

/** The only moment at which a key can be read. */
export function NewKeyOnce({ minted: { key, environment }, close }: { minted: NewKey; close(): void }) {
  return (
    <Stack gap="md">
      <Alert className="notice is-warm" icon={<IconEyeOff size={20} />} title="Copy it now">
        This key is shown this once. Petstore keeps only a fingerprint of it and cannot show it again.
      </Alert>
      <div className="minted">
        <code className="mono wrap-anywhere">{key}</code>
        <CopyButton value={key} what="the key" data-autofocus>
          Copy
        </CopyButton>
      </div>
      <Snippets environment={environment} apiKey={key} />
      <Group justify="flex-end">
        <Button onClick={close}>I have stored it</Button>
      </Group>
    </Stack>
  )
}
