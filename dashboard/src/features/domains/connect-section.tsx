import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconPlugConnected } from '../../icons/icons.ts'
import { beginConnect, connectQuery, type DomainDetails } from '../../api/domains.ts'
import { Section } from '../../parts/section.tsx'
import { Refusal } from '../../parts/trouble.tsx'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { isBeforeSwitch } from './preparation-situation.ts'

/** Where the DNS provider writes the records by itself; nothing where it does not. */
export default function ConnectSection({ domain }: { domain: DomainDetails }) {
  const project = useProject()
  const isPreparing = isBeforeSwitch(domain) && domain.state !== 'ready'
  const purpose = isPreparing ? 'prepare' : 'site'
  const offer = useQuery({ ...connectQuery(project.slug, domain.hostname, purpose), enabled: mayEdit(project) })
  const begin = useMutation({
    mutationFn: () => beginConnect(project.slug, domain.hostname),
    onSuccess: ({ url }) => location.assign(url),
  })
  const { offered = false, provider } = offer.data ?? {}
  if (!provider) return null
  if (!offered) return <ByHand {...provider} />
  return (
    <Section
      title={isPreparing ? 'Prepare with one click' : 'Connect with one click'}
      description={
        `${provider.name} runs the DNS of ${provider.zone} and can create the records for you.` +
        (isPreparing ? ' Visitors go on where they go now.' : '')
      }
      actions={
        <Button
          leftSection={<IconPlugConnected size={17} />}
          loading={begin.isPending || begin.isSuccess}
          onClick={() => begin.mutate()}
        >
          {isPreparing ? 'Prepare' : 'Connect'} at {provider.name}
        </Button>
      }
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          You sign in there, see every record that is added or removed, and agree or not. Then you come back here, and
          we look at the nameservers. To do it yourself, use the records below.
        </Text>
        <Refusal error={begin.error} />
      </Stack>
    </Section>
  )
}

/** A provider that says who it is but does not know us: at least the way to its form. */
function ByHand({ name, zone, controlPanel }: { name: string; zone: string; controlPanel: string | null }) {
  if (controlPanel === null) return null
  return (
    <Text size="sm" c="dimmed">
      {name} runs the DNS of {zone}:{' '}
      <Anchor href={controlPanel} target="_blank" rel="noopener noreferrer" inherit>
        edit its records there
      </Anchor>
      .
    </Text>
  )
}
