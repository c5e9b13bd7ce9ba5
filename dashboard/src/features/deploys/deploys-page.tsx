import './deploys.css'
import { Anchor, Button, EmptyState, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconExternalLink, IconRocket } from '@tabler/icons-react'
import { type Deploy, deploysQuery } from '../../api/deploys.ts'
import { ActionsHead } from '../../parts/actions-head.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { WaitingRows } from '../../parts/waiting.tsx'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { DeployRow } from './deploy-row.tsx'
import { UploadSection } from './upload-section.tsx'

export default function DeploysPage() {
  const project = useProject()
  const { data: deploys, error, refetch } = useQuery(deploysQuery(project.slug))
  return (
    <Page
      title="Deploys"
      description={
        <>
          Your site is published at{' '}
          <Anchor href={project.url} target="_blank" rel="noopener" inherit>
            {new URL(project.url).host}
          </Anchor>
          . Every deploy is kept whole, so that you can go back to it with a click.
        </>
      }
      actions={
        <Button
          component="a"
          href={project.url}
          target="_blank"
          rel="noopener"
          variant="default"
          rightSection={<IconExternalLink size={16} />}
        >
          Visit site
        </Button>
      }
    >
      {mayEdit(project) && <UploadSection />}
      {error && !deploys && <Trouble error={error} retry={() => void refetch()} />}
      {(deploys || !error) && <History deploys={deploys} />}
      {mayEdit(project) && (
        <Section title="From the command line" description="The same, for scripts and continuous integration.">
          <CodeBlock what="the command" code={`npx petstore deploy ./dist --project ${project.slug}`} />
        </Section>
      )}
    </Page>
  )
}

function History({ deploys }: { deploys: Deploy[] | undefined }) {
  if (deploys?.length === 0) {
    return (
      <div className="card">
        <EmptyState
          icon={<IconRocket size={30} />}
          title="Nothing deployed yet"
          description="The first deploy goes live at once, and a domain can be attached from then on."
        />
      </div>
    )
  }
  const shown = deploys?.findIndex(({ active }) => active) ?? 0
  return (
    <Section flush title="History">
      <Table className="rows">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Deploy</Table.Th>
            <Table.Th className="only-wide">Size</Table.Th>
            <Table.Th>When</Table.Th>
            <Table.Th className="only-wide">By</Table.Th>
            <ActionsHead />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {deploys?.map((deploy, at) => <DeployRow key={deploy.id} deploy={deploy} isOlder={at > shown} />) ?? (
            <WaitingRows rows={3} columns={5} />
          )}
        </Table.Tbody>
      </Table>
    </Section>
  )
}
