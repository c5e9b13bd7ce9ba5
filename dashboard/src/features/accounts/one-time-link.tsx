import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { CopyButton } from '../../parts/copy.tsx'
import { dayText } from '../../parts/time.tsx'

/** A link that is shown once, to be handed on by whatever way two people trust. */
export function OneTimeLink({ link, expiresAt, close }: { link: string; expiresAt: string; close(): void }) {
  return (
    <Stack gap="md">
      <Text size="sm">Send this link to the person. Whoever opens it first gets what it promises.</Text>
      <div className="minted">
        <code className="mono wrap-anywhere">{link}</code>
        <CopyButton value={link} what="the link" data-autofocus>
          Copy
        </CopyButton>
      </div>
      <Alert className="notice">It works once, until {dayText(expiresAt)}, and is not shown again.</Alert>
      <Group justify="flex-end">
        <Button onClick={close}>Done</Button>
      </Group>
    </Stack>
  )
}
