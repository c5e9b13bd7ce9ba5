import { Button, FileButton, Group, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { DeployWish } from '../../api/deploys.ts'
import { useAccount } from '../../api/session.ts'
import { IconFolderUp, IconUpload } from '../../icons/icons.ts'
import { Refusal } from '../../parts/trouble.tsx'
import { useProject } from '../projects/project-context.ts'
import { UploadProgress } from './upload-progress.tsx'
import { showUploads, useUploads } from './uploads.ts'
import { WaitingZone } from './waiting-zone.tsx'

const DropZone = lazy(() => import('./drop-zone.tsx'))

/** Reading, hashing and sending files. */
const loadUpload = () => import('./start-upload.tsx')

const NOTHING_SAID = { name: '', message: '', isPreview: false }

const saidOf = ({ name = '', message = '', publish }: DeployWish) => ({ name, message, isPreview: publish === 'no' })

export function UploadSection() {
  const { slug } = useProject()
  const { running } = useUploads()
  // Behind the page: it is there before anybody has found a file.
  useEffect(() => void loadUpload().catch(() => {}), [])
  return (
    <div className="card">
      {!running ? (
        <UploadForm key={slug} />
      ) : running.slug === slug ? (
        <UploadProgress upload={running} />
      ) : (
        <Text size="sm" c="dimmed">
          An upload to {running.slug} is under way. The next one can begin when it has ended.
        </Text>
      )}
    </div>
  )
}

/** Not there while something is sent: it begins anew, or with what was said of an upload that came to nothing. */
function UploadForm() {
  const { slug } = useProject()
  const { id: account } = useAccount()
  const { failure: last } = useUploads()
  const failure = last?.account === account && last.slug === slug ? last : undefined
  const [said, setSaid] = useState(() => (failure ? saidOf(failure.wish) : NOTHING_SAID))
  const say = (changed: Partial<typeof NOTHING_SAID>) => setSaid((known) => ({ ...known, ...changed }))
  const { name, message, isPreview } = said
  const wish: DeployWish = { name, message, publish: isPreview ? 'no' : 'yes' }
  const refuse = (error: unknown) => showUploads({ running: null, failure: { account, slug, error, wish } })
  const deploy = (files: File[]) => {
    loadUpload().then(({ startUpload }) => startUpload({ account, slug, dropped: files, wish }), refuse)
  }
  return (
    <Stack gap="md">
      <Suspense fallback={<WaitingZone drop={deploy} refuse={refuse} />}>
        <DropZone drop={deploy} />
      </Suspense>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <TextInput
          label="Name"
          placeholder="v2.1"
          description="Optional: to find it again in the history."
          maxLength={100}
          value={said.name}
          onChange={(event) => say({ name: event.currentTarget.value })}
        />
        <TextInput
          label="Message"
          placeholder="New opening hours"
          description="Optional: what has changed."
          maxLength={1000}
          value={said.message}
          onChange={(event) => say({ message: event.currentTarget.value })}
        />
      </SimpleGrid>
      <Group justify="space-between" gap="sm">
        <Switch
          label="Preview first, then publish"
          checked={said.isPreview}
          onChange={(event) => say({ isPreview: event.currentTarget.checked })}
        />
        <Group gap="xs">
          <FileButton accept=".zip,.tar,.gz,.tgz" onChange={(file) => file && deploy([file])}>
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconUpload size={16} />}>
                Choose an archive
              </Button>
            )}
          </FileButton>
          <FolderButton choose={deploy} />
        </Group>
      </Group>
      <Refusal error={failure?.error} />
    </Stack>
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
