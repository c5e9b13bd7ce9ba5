import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '../icons/icons.ts'
import { PetstoreError } from '../../../client/src/platform/platform.ts'
import { messageOf } from '../api/platform.ts'

/** In place of something that could not be loaded. */
export function Trouble({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const requestId = error instanceof PetstoreError ? error.requestId : undefined
  return (
    <Alert className="trouble" icon={<IconAlertTriangle size={20} />} title="This could not be loaded" role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{messageOf(error)}</Text>
        <Group gap="sm">
          {retry && (
            <Button size="xs" variant="default" onClick={retry}>
              Try again
            </Button>
          )}
          {requestId && (
            <Text size="xs" c="dimmed">
              Request <span className="mono">{requestId}</span>
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}

/** Why a form was refused, beside the button that sent it. */
export function Refusal({ error }: { error: unknown }) {
  if (!error) return null
  return (
    <Alert className="trouble" icon={<IconAlertTriangle size={18} />} role="alert">
      {messageOf(error)}
    </Alert>
  )
}
