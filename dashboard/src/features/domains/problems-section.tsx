import { Button, Collapse, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertCircle, IconAlertTriangle, IconChevronDown, IconClockHour4, IconTool } from '../../icons/icons.ts'
import type { DomainDetails, Problem } from '../../api/domains.ts'
import { countText } from '../../parts/count-text.ts'
import { Section } from '../../parts/section.tsx'
import { Tag, type Tone } from '../../parts/tag.tsx'
import { TimeAgo, timeText, withLocalTimes } from '../../parts/time.tsx'
import { EvidenceLines } from './evidence-lines.tsx'
import { Difference, SandboxButton } from './record-lines.tsx'
import { SendRecords } from './send-records.tsx'

const LOOKS: Record<Problem['severity'], { tone: Tone; text: string; icon: typeof IconAlertCircle }> = {
  blocking: { tone: 'red', text: 'must be mended', icon: IconAlertCircle },
  transient: { tone: 'warm', text: 'may pass by itself', icon: IconClockHour4 },
  warning: { tone: 'blue', text: 'a warning', icon: IconAlertTriangle },
}

/** Everything that the last check found, what must be mended first coming first. */
export function ProblemsSection({ domain }: { domain: DomainDetails }) {
  const { lastCheck } = domain
  if (!lastCheck || lastCheck.problems.length === 0) return null
  return (
    <Section
      title={countText(lastCheck.problems.length, 'problem')}
      actions={lastCheck.problems.some(({ change }) => change) && <SendRecords domain={domain} />}
      description={
        <>
          Found by the check <TimeAgo at={lastCheck.at} />. All of them at once, so that one visit to your DNS settings
          is enough.
        </>
      }
    >
      <ol className="problems">
        {lastCheck.problems.map((problem) => (
          <ProblemItem key={problem.code} problem={problem} domain={domain} checkedAt={lastCheck.at} />
        ))}
      </ol>
    </Section>
  )
}

function ProblemItem({ problem, domain, checkedAt }: { problem: Problem; domain: DomainDetails; checkedAt: string }) {
  const [opened, { toggle }] = useDisclosure(false)
  const { tone, text, icon: Icon } = LOOKS[problem.severity]
  return (
    <li className={`problem is-${tone}`}>
      <Icon size={20} stroke={1.8} className="problem-icon" aria-hidden="true" />
      <Stack gap={8} flex={1} miw={0}>
        <Group gap={8}>
          <h3 className="problem-title wrap-anywhere">{problem.title}</h3>
          <Tag tone={tone}>{text}</Tag>
          {problem.affects === 'certificate' && <Tag tone="plain">certificate</Tag>}
        </Group>
        <Text size="sm" c="dimmed" className="wrap-anywhere">
          {withLocalTimes(problem.detail)}
        </Text>
        {problem.change ? (
          <Difference change={problem.change} />
        ) : (
          <div className="problem-fix">
            <IconTool size={16} aria-hidden="true" />
            <Text size="sm" className="wrap-anywhere">
              <strong>What to do: </strong>
              {withLocalTimes(problem.fix)}
            </Text>
          </div>
        )}
        {problem.cachesExpireBy !== null && (
          <Text size="xs" c="dimmed">
            Once mended, no cache holds the old answer beyond {timeText(problem.cachesExpireBy)}.
          </Text>
        )}
        {problem.change && <SandboxButton zone={problem.change.zone} lines={problem.change.add} />}
        {problem.evidence.length > 0 && (
          <div>
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              onClick={toggle}
              aria-expanded={opened}
              rightSection={<IconChevronDown size={13} className={opened ? 'turned' : undefined} />}
            >
              Evidence
            </Button>
            <Collapse expanded={opened}>
              {opened && <EvidenceLines hostname={domain.hostname} ids={problem.evidence} checkedAt={checkedAt} />}
            </Collapse>
          </div>
        )}
      </Stack>
    </li>
  )
}
