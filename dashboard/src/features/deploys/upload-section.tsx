import '@mantine/dropzone/styles.layer.css'
import { Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { IconFolderUp, IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'
import { deployFiles, type Progress as Now } from './deploy-files.ts'
import { readDrop } from './dropped.ts'

const STAGES = { reading: 'Reading', sending: 'Sending', publishing: 'Publishing' } as const

export function UploadSection() {
  const { slug } = useProject()
  const [now, setNow] = useState<(Now & { what: string }) | null>(null)
  const stop = useRef<AbortController>(null)
  const deploy = useMutation({
    mutationFn: async (dropped: File[]) => {
      const drop = readDrop(dropped)
      if (!drop.ok) throw new Error(drop.message)
      stop.current = new AbortController()
      const progress = (at: Now) => setNow({ ...at, what: drop.what })
      progress({ stage: 'reading', share: 0 })
      return deployFiles({ slug, signal: stop.current.signal, progress }, drop.files)
    },
    onSuccess: async ({ state, deploy: done }) => {
      await queryClient.invalidateQueries({ queryKey: ['projects', slug] })
      notifications.show(
        state === 'unchanged'
          ? { message: 'Nothing has changed: exactly these files are published already.' }
          : { message: `Published: ${done.files} ${done.files === 1 ? 'file' : 'files'} are live now.` },
      )
    },
    onSettled: () => setNow(null),
  })
  const isCancelled = deploy.error instanceof DOMException && deploy.error.name === 'AbortError'

  return (
    <div className="card">
      {now ? (
        <Stack gap="sm" py="lg" role="status">
          <Group justify="space-between">
            <Text fw={550}>
              {STAGES[now.stage]} {now.what} …
            </Text>
            <Text c="dimmed" className="number">
              {Math.round(now.share * 100)} %
            </Text>
          </Group>
          <Progress
            value={now.share * 100}
            animated={now.stage === 'publishing'}
            aria-label={`${STAGES[now.stage]} ${now.what}`}
          />
          <Group justify="flex-end">
            <Button
              variant="default"
              size="xs"
              onClick={() => stop.current?.abort()}
              disabled={now.stage === 'publishing'}
            >
              Cancel
            </Button>
          </Group>
        </Stack>
      ) : (
        <Stack gap="md">
          <Dropzone
            className="drop"
            onDrop={(files) => deploy.mutate(files)}
            enablePointerEvents
            aria-label="Deploy: choose an archive, or drop an archive or a folder here"
            inputProps={{ 'aria-label': 'Archive to deploy' }}
          >
            <Stack align="center" gap={6} py="lg">
              <IconUpload size={30} stroke={1.5} aria-hidden="true" />
              <Text fw={600}>Drop a folder or an archive here</Text>
              <Text size="sm" c="dimmed" ta="center">
                .zip, .tar or .tar.gz with an index.html, up to 100 MB. It goes live as a whole, or not at all.
              </Text>
            </Stack>
          </Dropzone>
          <Group justify="center" gap="xs">
            <FileButton accept=".zip,.tar,.gz,.tgz" onChange={(file) => file && deploy.mutate([file])}>
              {(props) => (
                <Button {...props} variant="default" leftSection={<IconUpload size={16} />}>
                  Choose an archive
                </Button>
              )}
            </FileButton>
            <FolderButton choose={(files) => deploy.mutate(files)} />
          </Group>
        </Stack>
      )}
      {!isCancelled && <Refusal error={deploy.error} />}
    </div>
  )
}

function FolderButton({ choose }: { choose(files: File[]): void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={(element) => {
          input.current = element
          // React knows no such attribute.
          element?.setAttribute('webkitdirectory', '')
        }}
        type="file"
        multiple
        hidden
        aria-label="Folder to deploy"
        onChange={(event) => {
          choose([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <Button variant="default" leftSection={<IconFolderUp size={16} />} onClick={() => input.current?.click()}>
        Choose a folder
      </Button>
    </>
  )
}
