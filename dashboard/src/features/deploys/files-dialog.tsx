import { Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Deploy, type DeployFiles, deployFilesQuery } from '../../api/deploys.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { sizeText } from '../../parts/size-text.ts'
import { Tag, type Tone } from '../../parts/tag.tsx'
import { WaitingLines } from '../../parts/waiting.tsx'
import { useProject } from '../projects/project-context.ts'

type Change = DeployFiles['files'][number]['change']

const LOOKS: Record<Change, { tone: Tone; text: string }> = {
  added: { tone: 'green', text: 'new' },
  changed: { tone: 'blue', text: 'changed' },
  removed: { tone: 'red', text: 'not in it' },
  same: { tone: 'plain', text: 'same' },
}

const PATH_AND_SIZE: Column<DeployFiles['files'][number]>[] = [
  { head: 'File', className: 'mono wrap-anywhere', cell: ({ path }) => path },
  { head: 'Size', className: 'number', cell: ({ bytes }) => sizeText(bytes) },
]
const CHANGE: Column<DeployFiles['files'][number]> = {
  head: 'Beside the live site',
  cell: ({ change }) => <Tag tone={LOOKS[change].tone}>{LOOKS[change].text}</Tag>,
}

/** What is in a deploy, and how it differs from what visitors see now. */
export default function FilesDialog({ deploy, opened, close }: { deploy: Deploy; opened: boolean; close(): void }) {
  const { slug } = useProject()
  const files = useQuery({ ...deployFilesQuery(slug, deploy.id), enabled: opened })
  return (
    <Modal opened={opened} onClose={close} title={`Files of ${deploy.name ?? deploy.id}`} size="xl">
      <QueryGuard query={files} waiting={<WaitingLines lines={5} />}>
        {({ counts, files: listed, more, comparedTo }) => {
          const isCompared = comparedTo !== null && !deploy.active
          return (
            <Stack gap="sm">
              <Text size="sm" c="dimmed">
                {isCompared ? differenceText(counts) : 'Visitors see these files now.'}
                {more && ` The first ${listed.length} are listed.`}
              </Text>
              <DataTable
                className="rows file-rows"
                columns={isCompared ? [...PATH_AND_SIZE, CHANGE] : PATH_AND_SIZE}
                items={listed}
                keyOf={({ path }) => path}
              />
            </Stack>
          )
        }}
      </QueryGuard>
    </Modal>
  )
}

function differenceText({ added, changed, removed, same }: DeployFiles['counts']): string {
  if (added + changed + removed === 0) return 'Exactly the files that visitors see now.'
  return `Beside the live site: ${added} new, ${changed} changed, ${removed} not in it, ${same} the same.`
}
