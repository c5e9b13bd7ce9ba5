import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconArrowsDiff, IconExternalLink } from '../../icons/icons.ts'
import { compareSites, type DomainDetails, domainQuery, switchQuery } from '../../api/domains.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { CopyIcon } from '../../parts/copy.tsx'
import { Section } from '../../parts/section.tsx'
import { timeText, withLocalTimes } from '../../parts/time.tsx'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { ComparisonTable } from './comparison-table.tsx'

/** Before DNS changes: the site as this name will show it, and how it compares with what is served today. */
export default function SwitchSection({ domain }: { domain: DomainDetails }) {
  const project = useProject()
  const { hostname } = domain
  const view = useQuery(switchQuery(project.slug, domain))
  const compare = useMutation({
    mutationFn: () => compareSites(project.slug, hostname),
    // It may have found that the switch is under way.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: domainQuery(project.slug, hostname).queryKey }),
  })
  if (!view.data) return null
  const { preview, curl, move } = view.data
  if (move && move.phase !== 'before') return null
  return (
    <Section
      title="Before you switch"
      description={withLocalTimes(
        (compare.data?.move ?? move)?.sentence ??
          `Look at the site as ${hostname} will show it, before DNS leads here.`,
      )}
      actions={
        mayEdit(project) && (
          <Button
            variant="default"
            leftSection={<IconArrowsDiff size={16} />}
            loading={compare.isPending}
            onClick={() => compare.mutate()}
          >
            Compare with today
          </Button>
        )
      }
    >
      <Stack gap="md">
        <div className="trial-link">
          <Anchor href={preview.url} target="_blank" rel="noopener" size="sm">
            Open the site as {hostname} will show it <IconExternalLink size={14} aria-hidden="true" />
          </Anchor>
          <CopyIcon value={preview.url} what="the link" />
          <Text size="sm" c="dimmed">
            For whoever has the link, until {timeText(preview.expiresAt)}.
          </Text>
        </div>
        {curl && <CodeBlock code={curl} what="the command" label="The same under its own name, from a terminal" />}
        <Refusal error={compare.error} />
        {compare.data && <ComparisonTable comparison={compare.data} />}
      </Stack>
    </Section>
  )
}
