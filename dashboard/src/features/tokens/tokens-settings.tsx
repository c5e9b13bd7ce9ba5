import { Anchor, Button, EmptyState, Switch } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { IconPlus, IconRobot } from '../../icons/icons.ts'
import { tokensQuery } from '../../api/tokens.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { TOKEN_COLUMNS } from './token-columns.tsx'
import { lateDialog } from '../../parts/late-dialog.tsx'

const CreateToken = lateDialog(() => import('./create-token.tsx'))

/** Tokens with which programs manage the project: a pipeline that deploys, a script that adds domains. */
export default function TokensSettings() {
  const project = useProject()
  const { slug } = project
  const tokens = useQuery(tokensQuery(slug))
  const [creating, { open, close }] = useDisclosure(false)
  const creator = useRef<HTMLButtonElement>(null)
  const [withEnded, setWithEnded] = useState(false)
  const shown = tokens.data?.filter(({ state }) => withEnded || state === 'active')
  const ended = tokens.data?.filter(({ state }) => state !== 'active').length ?? 0
  return (
    <>
      <QueryGuard query={tokens}>
        {() => (
          <Section
            flush
            title="Tokens"
            description={
              <>
                A token lets a program manage this project in your name, as far as its scopes go:{' '}
                <Anchor href="/docs/platform/" target="_blank" rel="noopener" inherit>
                  what it can do
                </Anchor>
                .
              </>
            }
            actions={
              <>
                {ended > 0 && (
                  <Switch
                    size="sm"
                    label={`Show ended (${ended})`}
                    checked={withEnded}
                    onChange={(event) => setWithEnded(event.currentTarget.checked)}
                  />
                )}
                {mayEdit(project) && (
                  <Button ref={creator} size="compact-md" leftSection={<IconPlus size={16} />} onClick={open}>
                    Create token
                  </Button>
                )}
              </>
            }
          >
            <DataTable
              columns={TOKEN_COLUMNS}
              items={shown}
              keyOf={({ id }) => id}
              waitingRows={2}
              empty={
                <EmptyState
                  py="xl"
                  icon={<IconRobot size={30} />}
                  title="No token works"
                  description="Create one to publish from a pipeline, without anybody's password."
                />
              }
            />
          </Section>
        )}
      </QueryGuard>
      <CreateToken opened={creating} close={close} opener={creator} />
    </>
  )
}
