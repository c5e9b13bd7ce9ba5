import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import type { Upload } from './uploads.ts'

const STAGES = { reading: 'Reading', sending: 'Sending', publishing: 'Publishing' } as const

export function UploadProgress({ upload: { what, now, stop } }: { upload: Upload }) {
  return (
    <Stack gap="sm" role="status">
      <Group justify="space-between" wrap="nowrap">
        <Text fw={550} className="wrap-anywhere">
          {STAGES[now.stage]} {what} …
        </Text>
        <Text c="dimmed" className="number">
          {Math.round(now.share * 100)} %
        </Text>
      </Group>
      <Progress
        value={now.share * 100}
        animated={now.stage === 'publishing'}
        aria-label={`${STAGES[now.stage]} ${what}`}
      />
      <Group justify="flex-end">
        <Button variant="default" size="xs" onClick={stop} disabled={now.stage === 'publishing'}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}
