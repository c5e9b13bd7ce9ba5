import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { CodeBlock } from '../../parts/code-block.tsx'
import { CopyButton } from '../../parts/copy.tsx'

const SAMPLE = `import { verifyWebhook } from 'petstore-client/webhooks'

const event = await verifyWebhook(
  process.env.WEBHOOK_SECRET, request.headers, await request.text())`

/** The only moment at which a secret can be read. */
export function SecretOnce({ secret, close }: { secret: string; close(): void }) {
  return (
    <Stack gap="md">
      <Alert className="notice is-warm" icon={<IconEyeOff size={20} />} title="Copy it now">
        This secret is shown this once. Whoever receives the events needs it to know that they come from here.
      </Alert>
      <div className="minted">
        <code className="mono wrap-anywhere">{secret}</code>
        <CopyButton value={secret} what="the secret" data-autofocus>
          Copy
        </CopyButton>
      </div>
      <CodeBlock label="Verify in TypeScript" what="the code" code={SAMPLE} />
      <Group justify="flex-end">
        <Button onClick={close}>I have stored it</Button>
      </Group>
    </Stack>
  )
}
