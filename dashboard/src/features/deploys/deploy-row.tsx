import { Button, Group, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { activateDeploy, type Deploy } from '../../api/deploys.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { previewUrl } from './preview-url.ts'
import { sourceText } from './source-text.ts'

interface DeployRowProps {
  deploy: Deploy
  /** Than the one that is shown now: going to it is going back. */
  isOlder: boolean
}

export function DeployRow({ deploy, isOlder }: DeployRowProps) {
  const project = useProject()
  const [asking, { open, close }] = useDisclosure(false)
  const preview = previewUrl(project, deploy)
  const verb = isOlder ? 'Roll back' : 'Activate'
  const activate = useMutation({
    mutationFn: () => activateDeploy(project.slug, deploy.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['projects', project.slug] })
      notifications.show({ message: 'This deploy is live now.' })
      close()
    },
  })
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={8}>
          <Text size="sm" fw={550}>
            {sourceText(deploy)}
          </Text>
          {deploy.active && (
            <Tag tone="green" dot>
              live
            </Tag>
          )}
        </Group>
        <Text size="xs" c="dimmed" className="mono wrap-anywhere">
          {deploy.id}
        </Text>
      </Table.Td>
      <Table.Td className="only-wide number">
        {deploy.files} {deploy.files === 1 ? 'file' : 'files'}, {sizeText(deploy.bytes)}
      </Table.Td>
      <Table.Td>
        <TimeAgo at={deploy.createdAt} />
      </Table.Td>
      <Table.Td className="only-wide wrap-anywhere">{deploy.createdBy}</Table.Td>
      <Table.Td ta="right">
        <Group gap={6} justify="flex-end" wrap="nowrap">
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
            <Button size="compact-sm" variant="default" onClick={open} aria-label={`${verb} to ${deploy.id}`}>
              {verb}
            </Button>
          )}
        </Group>
        <Confirm
          opened={asking}
          close={close}
          title={`${verb} to this deploy?`}
          action={verb}
          dangerous={false}
          pending={activate.isPending}
          error={activate.error}
          run={() => activate.mutate()}
        >
          <p>
            Visitors see its {deploy.files} files at once, on every address of the project. The deploy that is live now
            stays in the history.
          </p>
        </Confirm>
      </Table.Td>
    </Table.Tr>
  )
}

export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB']
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`
}
