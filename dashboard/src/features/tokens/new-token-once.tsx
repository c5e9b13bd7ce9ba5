import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import type { NewToken } from '../../api/tokens.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { CopyButton } from '../../parts/copy.tsx'

interface NewTokenOnceProps {
  minted: NewToken
  /** Of the project, which the example names. */
  slug: string
  close(): void
}

/** The only moment at which a token can be read. */
export function NewTokenOnce({ minted: { token, scopes }, slug, close }: NewTokenOnceProps) {
  return (
    <Stack gap="md">
      <Alert className="notice is-warm" icon={<IconEyeOff size={20} />} title="Copy it now">
        This token is shown this once. Petstore keeps only a fingerprint of it and cannot show it again.
      </Alert>
      <div className="minted">
        <code className="mono wrap-anywhere">{token}</code>
        <CopyButton value={token} what="the token" data-autofocus>
          Copy
        </CopyButton>
      </div>
      {scopes.includes('deploys:write') && (
        <CodeBlock
          label="Publish from a pipeline"
          what="the commands"
          code={`tar -czf site.tar.gz -C dist .
curl --fail-with-body --data-binary @site.tar.gz \\
  -H "Authorization: Bearer $PETSTORE_TOKEN" -H 'Content-Type: application/gzip' \\
  ${location.origin}/platform/v1/projects/${slug}/deploys/archive`}
        />
      )}
      <Group justify="flex-end">
        <Button onClick={close}>I have stored it</Button>
      </Group>
    </Stack>
  )
}
