import './overview.css'
import { Alert, Anchor, Button, Grid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { IconExternalLink } from '../../icons/icons.ts'
import { type Environment, overviewQuery } from '../../api/projects.ts'
import { useEnvironment } from '../../frame/environment.ts'
import { EnvironmentBand } from '../../frame/environment-band.tsx'
import { countText } from '../../parts/count-text.ts'
import { Page } from '../../parts/page.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { NewestPets } from './newest-pets.tsx'
import { NextSteps } from './next-steps.tsx'
import { Numbers } from './numbers.tsx'
import { useProject } from './project-context.ts'
import { Published } from './published.tsx'
import { RequestsSection } from './requests-section.tsx'
import { PlanTag } from './plan-tag.tsx'

export default function OverviewPage() {
  const project = useProject()
  const environment = useEnvironment()
  const overview = useQuery(overviewQuery(project.slug))
  return (
    <Page
      title={project.name}
      heading={
        <span className="overview-title">
          {project.name} <PlanTag plan={project.plan} />
        </span>
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
      <EnvironmentBand environment={environment} />
      <QueryGuard query={overview}>
        {(known) => (
          <>
            {known && known.deprecatedCallers[environment] > 0 && (
              <Alert className="notice is-warm" title={callersTitle(known.deprecatedCallers[environment], environment)}>
                <code>GET /pets/{'{petId}'}</code> will be removed on 5 December 2030.{' '}
                <Anchor component={Link} href={`/projects/${project.slug}/${environment}/keys`} size="sm">
                  See which keys
                </Anchor>
              </Alert>
            )}
            <NextSteps overview={known} />
            <Numbers overview={known} environment={environment} />
          </>
        )}
      </QueryGuard>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <RequestsSection environment={environment} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="lg">
            <Published />
            <NewestPets environment={environment} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}

const callersTitle = (keys: number, environment: Environment) =>
  `${countText(keys, 'key')} of ${environment} still ${keys === 1 ? 'calls' : 'call'} a deprecated operation`
