import { Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import { IconArrowsSplit2, IconCertificate, IconListSearch, IconWorldWww } from '../../icons/icons.ts'
import { useProject } from '../projects/project-context.ts'

const POINTS = [
  [IconWorldWww, 'Your own domain', 'Visitors see your name instead of ours. One DNS record is all you create.'],
  [IconListSearch, 'DNS, explained', 'We ask every nameserver and say exactly what is wrong and how to mend it.'],
  [
    IconCertificate,
    'Certificates by themselves',
    'Issued within a couple of minutes and renewed for ever: nothing to install.',
  ],
  [IconArrowsSplit2, 'Several domains', 'One primary and any number of redirects, each with its own status.'],
] as const

/** What a project on the free plan would get. */
export function ProOffer() {
  const project = useProject()
  return (
    <div className="card pro-offer">
      <Stack gap="lg">
        <Stack gap={4}>
          <Title order={2}>Custom domains come with Pro</Title>
          <Text c="dimmed">
            This project is on Free and is published at {new URL(project.url).host}. With Pro or above it gets:
          </Text>
        </Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {POINTS.map(([Icon, title, about]) => (
            <div key={title} className="offer-point">
              <Icon size={22} stroke={1.6} aria-hidden="true" />
              <div>
                <Text fw={600} size="sm">
                  {title}
                </Text>
                <Text size="sm" c="dimmed">
                  {about}
                </Text>
              </div>
            </div>
          ))}
        </SimpleGrid>
        <Group>
          <Button component={Link} href={`/projects/${project.slug}/settings/plan`}>
            See the plans
          </Button>
        </Group>
      </Stack>
    </div>
  )
}
