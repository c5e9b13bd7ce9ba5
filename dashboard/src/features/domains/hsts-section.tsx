import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconLock } from '../../icons/icons.ts'
import type { DomainDetails } from '../../api/domains.ts'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { lengthText } from './hsts-choices.ts'
import { lateDialog } from '../../parts/late-dialog.tsx'

const HstsDialog = lateDialog(() => import('./hsts-dialog.tsx'))

/** Whether browsers are told to visit the domain over HTTPS only. A redirect never says so for itself. */
export function HstsSection({ domain }: { domain: DomainDetails }) {
  const project = useProject()
  const [opened, { open, close }] = useDisclosure(false)
  if (domain.role !== 'primary' || !domain.certificate) return null
  const { hstsSeconds: seconds } = domain
  return (
    <Section
      title="HTTPS only (HSTS)"
      description={
        'Visitors are led to HTTPS already. This also makes their browsers refuse plain HTTP by themselves, ' +
        'for a time that you choose.'
      }
      actions={
        mayEdit(project) && (
          <Button variant="default" leftSection={<IconLock size={16} />} onClick={open}>
            {seconds === null ? 'Switch on…' : 'Change…'}
          </Button>
        )
      }
    >
      <p className="hsts-now">
        {seconds === null && <Tag tone="plain">off</Tag>}
        {seconds === 0 && <Tag tone="warm">being taken back</Tag>}
        {seconds !== null && seconds > 0 && <Tag tone="green">on</Tag>}{' '}
        <Text span size="sm" c="dimmed">
          {nowText(seconds)}
        </Text>
      </p>
      <HstsDialog domain={domain} opened={opened} close={close} />
    </Section>
  )
}

function nowText(seconds: number | null): string {
  if (seconds === null) return 'No Strict-Transport-Security header is sent.'
  if (seconds === 0) return 'Browsers forget it at their next visit. Once your visitors have come by, choose Off.'
  return `Browsers remember it for ${lengthText(seconds)} after each visit.`
}
