import './deploys.css'
import { Anchor, Button, EmptyState } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconExternalLink, IconRocket } from '../../icons/icons.ts'
import { type Deploy, deploysQuery } from '../../api/deploys.ts'
import { sharesQuery } from '../../api/shares.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { ShareBar } from '../../parts/share-bar.tsx'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { deployColumns } from './deploy-columns.tsx'
import { UploadSection } from './upload-section.tsx'

export default function DeploysPage() {
  const project = useProject()
  const deploys = useQuery(deploysQuery(project.slug))
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
      <QueryGuard query={deploys}>{(known) => <History deploys={known} />}</QueryGuard>
      <StorageSection />
      {mayEdit(project) && (
        <Section title="From the command line" description="The same, for scripts and continuous integration.">
          <CodeBlock what="the command" code={`npx petstore deploy ./dist --project ${project.slug}`} />
        </Section>
      )}
    </Page>
  )
}

function StorageSection() {
  const { slug } = useProject()
  const storage = useQuery(sharesQuery(slug)).data?.find(({ share }) => share === 'storage')
  if (!storage) return null
  return (
    <Section title="Storage" description="Remove deploys that nobody will go back to, or change the plan for more.">
      <ShareBar share={storage} />
    </Section>
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
  const isOlder = (deploy: Deploy) => (deploys?.indexOf(deploy) ?? 0) > shown
  return (
    <Section flush title="History">
      <DataTable
        className="rows card-rows"
        columns={deployColumns(isOlder)}
        items={deploys}
        keyOf={({ id }) => id}
        waitingRows={3}
      />
    </Section>
  )
}
