import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { IconMail } from '../../icons/icons.ts'
import type { DomainDetails, RecordChange, RecordLine } from '../../api/domains.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { recordsBesides } from './records-besides.ts'

interface SendDialogProps {
  domain: DomainDetails
  opened: boolean
  close(): void
}

/** Everything to create or change, as a message. */
export default function SendDialog({ domain, opened, close }: SendDialogProps) {
  const subject = `DNS record for ${domain.hostname}`
  const text = messageOf(domain)
  const mail = `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`
  return (
    <Modal opened={opened} onClose={close} title="Send these to a colleague" size="lg">
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          Everything that somebody with access to the DNS settings needs. There is no secret in it.
        </Text>
        <Textarea
          label="Message"
          value={text}
          readOnly
          autosize
          maxRows={16}
          classNames={{ input: 'mono' }}
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button component="a" href={mail} variant="default" leftSection={<IconMail size={16} />}>
            Write a mail
          </Button>
          <CopyButton value={text} what="the message" variant="filled">
            Copy message
          </CopyButton>
        </Group>
      </Stack>
    </Modal>
  )
}

function messageOf(domain: DomainDetails): string {
  const changes = domain.lastCheck?.problems.flatMap(({ change }) => change ?? []) ?? []
  return changes.length > 0 ? changesText(domain, changes) : recordsText(domain)
}

function changesText({ hostname }: DomainDetails, changes: RecordChange[]): string {
  const line = ({ type, name, value }: RecordLine) => `  ${type}  ${name}  ${value}\n`
  const lines = (which: 'remove' | 'add') => new Set(changes.flatMap((change) => change[which].map(line)))
  const [remove, add] = [lines('remove'), lines('add')]
  return [
    `Please change the DNS of ${hostname}, in the zone ${changes[0]?.zone}.\n`,
    ...(remove.size > 0 ? ['Delete (type, name, value):', ...remove] : []),
    ...(add.size > 0 ? ['There should be (type, name, value; TTL 3600):', ...add] : []),
    'Thank you!',
  ].join('\n')
}

function recordsText(domain: DomainDetails): string {
  const { hostname, kind } = domain
  const { record, alternatives, notes } = domain.record
  const records = [record, ...recordsBesides(domain)]
  const lines = records.map(
    ({ type, name, value, ttl }) =>
      `Type:  ${type === 'ALIAS' ? 'ALIAS or ANAME' : type}\nName:  ${name}\nValue: ${value}\nTTL:   ${ttl}\n`,
  )
  const instead = alternatives.map(({ type, name, value }) => `${type} ${name} ${value}`)
  return [
    `Please create ${records.length === 1 ? 'this DNS record' : 'these DNS records'} for ${hostname}:\n`,
    ...lines,
    ...(kind === 'apex' && instead.length > 0
      ? [`If ALIAS and ANAME are not on offer, these instead:\n${instead.join('\n')}\n`]
      : []),
    ...notes.map((note) => `- ${note}`),
    '\nThank you!',
  ].join('\n')
}
