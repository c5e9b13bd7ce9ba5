import { Button, EmptyState, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { IconKey, IconPlus } from '../../icons/icons.ts'
import { keysQuery } from '../../api/keys.ts'
import type { Environment } from '../../api/projects.ts'
import { EnvironmentBand } from '../../frame/environment-band.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { useDoing } from '../../parts/use-doing.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { DeprecatedCallers } from './deprecated-callers.tsx'
import { keyColumns } from './key-columns.tsx'
import { TryIt } from './try-it.tsx'
import { lateDialog } from '../../parts/late-dialog.tsx'

const CreateKey = lateDialog(() => import('./create-key.tsx'))

export default function KeysPage({ environment }: { environment: Environment }) {
  const project = useProject()
  const keys = useQuery(keysQuery(project.slug))
  const [creating, { open, close }] = useDoing('create', mayEdit(project))
  const creator = useRef<HTMLButtonElement>(null)
  const [withEnded, setWithEnded] = useState(false)
  const own = keys.data?.filter((key) => key.environment === environment)
  const shown = own?.filter((key) => withEnded || key.state === 'active')
  const ended = own?.filter((key) => key.state !== 'active').length ?? 0
  const createProps = { leftSection: <IconPlus size={16} />, onClick: open, children: 'Create key' }
  return (
    <Page
      title="API keys"
      description="A key opens one environment of this project, and nothing else."
      actions={mayEdit(project) && <Button ref={creator} data-shortcut="new" {...createProps} />}
    >
      <EnvironmentBand environment={environment} />
      <DeprecatedCallers environment={environment} />
      <QueryGuard query={keys}>
        {() => (
          <Section
            flush
            title={`Keys of ${environment}`}
            actions={
              ended > 0 && (
                <Switch
                  size="sm"
                  label={`Show ended (${ended})`}
                  checked={withEnded}
                  onChange={(event) => setWithEnded(event.currentTarget.checked)}
                />
              )
            }
          >
            <DataTable
              className="rows card-rows key-rows"
              columns={keyColumns(own ?? [])}
              items={shown}
              keyOf={({ id }) => id}
              waitingRows={2}
              empty={
                <EmptyState
                  py="xl"
                  icon={<IconKey size={30} />}
                  title={`No active key for ${environment}`}
                  description="Create one to call the API. It is shown once, so have a safe place ready."
                >
                  {mayEdit(project) && (
                    <EmptyState.Actions>
                      <Button {...createProps} />
                    </EmptyState.Actions>
                  )}
                </EmptyState>
              }
            />
          </Section>
        )}
      </QueryGuard>
      <TryIt environment={environment} />
      <CreateKey environment={environment} opened={creating} close={close} opener={creator} />
    </Page>
  )
}
