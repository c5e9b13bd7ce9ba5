import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Welcome } from './welcome.tsx'

export function ForgotPage() {
  return (
    <Welcome
      title="Choose a new password"
      description={
        'Ask whoever runs this service for a link. It works once, for a day, and opens a page on which you ' +
        'choose a new password.'
      }
      below={
        <Anchor component={Link} href="/sign-in" size="sm">
          Back to sign in
        </Anchor>
      }
    >
      <Stack gap="xs">
        <Text size="sm">If that is you, this command prints the link:</Text>
        <CodeBlock code="npx petstore users reset-password you@example.com" what="the command" />
      </Stack>
    </Welcome>
  )
}
