import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { type Deploy, removeDeploy } from '../../api/deploys.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { countText } from '../../parts/count-text.ts'
import type { Column } from '../../parts/data-table.tsx'
import { sizeText } from '../../parts/size-text.ts'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { previewUrl } from './preview-url.ts'
import { publishDeploy } from './publish-deploy.ts'
import { sourceText } from './source-text.ts'
import { lateDialog } from '../../parts/late-dialog.tsx'

const FilesDialog = lateDialog(() => import('./files-dialog.tsx'))

const VIA = { dashboard: 'from the dashboard', 'command line': 'from the command line', token: 'by a token' } as const

/** `isOlder`: than the one that is shown now, so that going to it is going back. */
export const deployColumns = (isOlder: (deploy: Deploy) => boolean): Column<Deploy>[] => [
  {
    head: 'Deploy',
    className: 'deploy-name',
    cell: (deploy) => (
      <>
        <Group gap={8}>
          <Text size="sm" fw={550} className="wrap-anywhere">
            {deploy.name ?? sourceText(deploy)}
          </Text>
          {deploy.active && (
            <Tag tone="green" dot>
              live
            </Tag>
          )}
          {!deploy.hasIndex && <Tag tone="warm">no index.html</Tag>}
        </Group>
        {deploy.message && (
          <Text size="sm" className="wrap-anywhere deploy-message">
            {deploy.message}
          </Text>
        )}
        <Text size="xs" c="dimmed" className="wrap-anywhere">
          {deploy.name && `${sourceText(deploy)}, `}
          <span className="mono">{deploy.id}</span>
        </Text>
      </>
    ),
  },
  {
    head: 'Size',
    className: 'number',
    onlyWide: true,
    cell: ({ files, bytes }) => `${countText(files, 'file')}, ${sizeText(bytes)}`,
  },
  { head: 'When', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  {
    head: 'By',
    className: 'wrap-anywhere deploy-author',
    cell: ({ createdBy, via }) => (
      <>
        {createdBy}
        {via && (
          <Text size="xs" c="dimmed">
            {VIA[via]}
          </Text>
        )}
      </>
    ),
  },
  {
    ta: 'right',
    cell: (deploy) => <DeployActions deploy={deploy} isBack={isOlder(deploy)} />,
  },
]

function DeployActions({ deploy, isBack }: { deploy: Deploy; isBack: boolean }) {
  const project = useProject()
  const [asking, { open, close }] = useDisclosure(false)
  const [listing, files] = useDisclosure(false)
  const verb = isBack ? 'Roll back' : 'Publish'
  const preview = previewUrl(project, deploy)
  return (
    <>
      <Group gap={6} className="deploy-buttons">
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={files.open}
          aria-label={`Files of ${deploy.id}`}
        >
          Files
        </Button>
        {preview && (
          <Button
            component="a"
            href={preview}
            target="_blank"
            rel="noopener"
            size="compact-sm"
            variant="subtle"
            aria-label={`Preview ${deploy.id}`}
          >
            Preview
          </Button>
        )}
        {!deploy.active && mayEdit(project) && (
          <>
            <Button
              size="compact-sm"
              variant="default"
              onClick={open}
              aria-label={isBack ? `Roll back to ${deploy.id}` : `Publish ${deploy.id}`}
            >
              {verb}
            </Button>
            <RemoveDeploy deploy={deploy} />
          </>
        )}
      </Group>
      <FilesDialog deploy={deploy} opened={listing} close={files.close} />
      <Confirm
        opened={asking}
        close={close}
        title={isBack ? 'Roll back to this deploy?' : 'Publish this deploy?'}
        action={verb}
        dangerous={false}
        send={() => publishDeploy(project.slug, deploy.id)}
      >
        <p>
          {!deploy.hasIndex && 'It has no index.html: the address of the site then leads to “not found”. '}
          Visitors see its {countText(deploy.files, 'file')} at once, on every address of the project. The deploy that
          is live now stays in the history.
        </p>
      </Confirm>
    </>
  )
}

function RemoveDeploy({ deploy }: { deploy: Deploy }) {
  const { slug } = useProject()
  const [asking, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button size="compact-sm" variant="subtle" color="red" onClick={open} aria-label={`Remove ${deploy.id}`}>
        Remove
      </Button>
      <Confirm
        opened={asking}
        close={close}
        title="Remove this deploy?"
        action="Remove"
        send={() => removeDeploy(slug, deploy.id)}
        sent={async () => {
          await queryClient.invalidateQueries({ queryKey: ['projects', slug] })
          notifications.show({ message: 'The deploy has been removed.' })
        }}
      >
        <p>
          Nobody can go back to it any more. Files that no other deploy has are deleted, and no longer count as this
          project’s storage.
        </p>
      </Confirm>
    </>
  )
}
