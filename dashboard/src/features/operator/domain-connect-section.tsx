import { Collapse, Stack, Text, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { domainConnectQuery } from '../../api/operator.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { WaitingLines } from '../../parts/waiting.tsx'

/** What is published once, so that DNS providers create the records of custom domains by themselves. */
export function DomainConnectSection() {
  const [opened, { toggle }] = useDisclosure(false)
  return (
    <Section
      title="Domain Connect"
      description="DNS providers that know this installation create the records of a custom domain after one click."
      actions={
        <Button variant="default" onClick={toggle} aria-expanded={opened}>
          {opened ? 'Hide' : 'Show what to publish'}
        </Button>
      }
    >
      <Collapse expanded={opened}>{opened && <Published />}</Collapse>
    </Section>
  )
}

/** Asked for when it is wanted: the first question makes the key. */
function Published() {
  return (
    <QueryGuard query={useQuery(domainConnectQuery)} waiting={<WaitingLines lines={3} />}>
      {({ key, templates }) => (
        <Stack gap="md">
          <Text size="sm">
            The public key that our requests are signed with: TXT records at <span className="mono">{key.name}</span>,
            each of them.
          </Text>
          {key.values.map((value) => (
            <CodeBlock key={value} code={value} what="the TXT record" />
          ))}
          <Text size="sm">The templates to offer to DNS providers:</Text>
          {templates.map((template) => (
            <Stack key={template.serviceId} gap={4}>
              <Text size="sm" fw={550} className="mono">
                {template.providerId}.{template.serviceId}.json
              </Text>
              <CodeBlock code={JSON.stringify(template, null, 2)} what="the template" />
            </Stack>
          ))}
        </Stack>
      )}
    </QueryGuard>
  )
}
