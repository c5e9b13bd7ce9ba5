import { Button, EmptyState, Switch, Table } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { keysQuery, type NewKey } from '../../api/keys.ts'
import type { Environment } from '../../api/projects.ts'
import { EnvironmentBand } from '../../frame/environment-band.tsx'
import { ActionsHead } from '../../parts/actions-head.tsx'
import type { Opener } from '../../parts/give-back-focus.ts'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { WaitingRows } from '../../parts/waiting.tsx'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { CreateKey } from './create-key.tsx'
import { DeprecatedCallers } from './deprecated-callers.tsx'
import { KeyRow } from './key-row.tsx'
import { ShownOnce } from './shown-once.tsx'
import { TryIt } from './try-it.tsx'

export default function KeysPage({ environment }: { environment: Environment }) {
  const project = useProject()
  const { data: keys, error, refetch } = useQuery(keysQuery(project.slug))
  const [creating, { open, close }] = useDisclosure(false)
  const [minted, setMinted] = useState<NewKey | null>(null)
  const creator = useRef<HTMLButtonElement>(null)
  const [opener, setOpener] = useState<Opener>(creator)
  const show = (key: NewKey, from: Opener = creator) => {
    setOpener(from)
    setMinted(key)
  }
  const [withEnded, setWithEnded] = useState(false)
  const own = keys?.filter((key) => key.environment === environment)
  const shown = own?.filter((key) => withEnded || key.state === 'active')
  const ended = own?.filter((key) => key.state !== 'active').length ?? 0
  const createProps = { leftSection: <IconPlus size={16} />, onClick: open, children: 'Create key' }
  return (
    <Page
      title="API keys"
      description="A key opens one environment of this project, and nothing else."
      actions={mayEdit(project) && <Button ref={creator} {...createProps} />}
    >
      <EnvironmentBand environment={environment} />
      <DeprecatedCallers environment={environment} />
      {error && !keys && <Trouble error={error} retry={() => void refetch()} />}
      {(keys || !error) && (
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
          {shown?.length === 0 ? (
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
          ) : (
            <Table className="rows">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th className="only-wide">Key</Table.Th>
                  <Table.Th className="only-wide">Scopes</Table.Th>
                  <Table.Th>Last used</Table.Th>
                  <Table.Th className="only-wide">Expires</Table.Th>
                  <ActionsHead />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown?.map((key) => <KeyRow key={key.id} apiKey={key} show={show} />) ?? (
                  <WaitingRows rows={2} columns={6} />
                )}
              </Table.Tbody>
            </Table>
          )}
        </Section>
      )}
      <TryIt environment={environment} />
      <CreateKey environment={environment} opened={creating} close={close} show={show} />
      <ShownOnce minted={minted} close={() => setMinted(null)} opener={opener} />
    </Page>
  )
}
