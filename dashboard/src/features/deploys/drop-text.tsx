import { Stack, Text } from '@mantine/core'
import { IconUpload } from '../../icons/icons.ts'

export function DropText() {
  return (
    <Stack align="center" gap={6} py="lg">
      <IconUpload size={30} stroke={1.5} aria-hidden="true" />
      <Text fw={600}>Drop a folder or an archive here</Text>
      <Text size="sm" c="dimmed" ta="center">
        .zip, .tar or .tar.gz with an index.html, up to 100 MB. It goes live as a whole, or not at all.
      </Text>
    </Stack>
  )
}
