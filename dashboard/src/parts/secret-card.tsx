import { Alert, Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconEyeOff } from '../icons/icons.ts'
import { CopyButton } from './copy.tsx'

interface SecretCardProps {
  secret: string
  /** `key`, `token`, `secret`. */
  what: string
  /** Why it must be stored now. */
  note: string
  close(): void
  /** How it is used. */
  children: ReactNode
}

/** The only moment at which a secret can be read. */
export function SecretCard({ secret, what, note, close, children }: SecretCardProps) {
  return (
    <Stack gap="md">
      <Alert className="notice is-warm" icon={<IconEyeOff size={20} />} title="Copy it now">
        This {what} is shown this once. {note}
      </Alert>
      <CopiedLine value={secret} what={`the ${what}`} />
      {children}
      <Group justify="flex-end">
        <Button onClick={close}>I have stored it</Button>
      </Group>
    </Stack>
  )
}

/** What somebody takes along, with the button that has the focus. */
export function CopiedLine({ value, what }: { value: string; what: string }) {
  return (
    <div className="minted">
      <code className="mono wrap-anywhere">{value}</code>
      <CopyButton value={value} what={what} data-autofocus>
        Copy
      </CopyButton>
    </div>
  )
}
