import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { messageOf } from '../../../api/platform.ts'
import { useAskBeforeLeaving } from '../../../parts/ask-before-leaving.ts'
import { countText } from '../../../parts/count-text.ts'
import { useRunningImport } from './imports.ts'

/** In the frame, on whatever page. */
export function ImportBar() {
  const running = useRunningImport()
  useAskBeforeLeaving(running !== null)
  if (!running) return null
  const { job, rows, done, animals, paused, stop } = running
  const share = rows === 0 ? 0 : (done / rows) * 100
  return (
    <aside className="work-bar card" aria-label="Import">
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" role="status">
          <Text fw={550} className="wrap-anywhere">
            {paused ? `${job.name}: the import waits` : `Importing ${job.name} …`}
          </Text>
          <Text c="dimmed" className="number">
            {Math.floor(share)} %
          </Text>
        </Group>
        <Progress value={share} aria-label={`Import of ${job.name}`} color={paused ? 'gray' : 'pine'} />
        {paused && <Text size="sm">{messageOf(paused.why)}</Text>}
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed" className="number">
            {countText(animals, 'animal')} added to {job.environment}
          </Text>
          <Group gap="xs">
            {paused && (
              <Button size="compact-sm" onClick={paused.goOn}>
                Go on
              </Button>
            )}
            <Button size="compact-sm" variant="default" onClick={stop}>
              Stop
            </Button>
          </Group>
        </Group>
      </Stack>
    </aside>
  )
}
