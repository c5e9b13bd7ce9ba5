import { Button, EmptyState } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconWorldQuestion } from '../../icons/icons.ts'
import { Page } from '../../parts/page.tsx'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { BackToDomains } from './back-to-domains.tsx'
import { lateDialog } from '../../parts/late-dialog.tsx'

const AddDomain = lateDialog(() => import('./add-domain.tsx'))

/** A link to a domain that is not here, or not any more. */
export default function UnknownDomain({ hostname }: { hostname: string }) {
  const project = useProject()
  const [adding, { open, close }] = useDisclosure(false)
  return (
    <Page title={hostname} above={<BackToDomains />}>
      <div className="card">
        <EmptyState
          icon={<IconWorldQuestion size={30} />}
          title={`${hostname} is not a domain of this project`}
          description={
            mayEdit(project)
              ? 'It may have left long ago, or the link has a mistake. If it is yours, add it.'
              : 'It may have left long ago, or the link has a mistake.'
          }
        >
          {mayEdit(project) && (
            <EmptyState.Actions>
              <Button leftSection={<IconPlus size={16} />} onClick={open}>
                Add this domain
              </Button>
            </EmptyState.Actions>
          )}
        </EmptyState>
      </div>
      <AddDomain opened={adding} close={close} hostname={hostname} />
    </Page>
  )
}
