import { Button, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconRadar } from '../../icons/icons.ts'
import { type AnswerRow, askResolvers, type DomainDetails, domainQuery, switchQuery } from '../../api/domains.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag, type Tone } from '../../parts/tag.tsx'
import { timeText, withLocalTimes } from '../../parts/time.tsx'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'

/** After DNS has changed: who still has the old answer, and when the old host may be switched off. */
export default function MovingSection({ domain }: { domain: DomainDetails }) {
  const project = useProject()
  const view = useQuery(switchQuery(project.slug, domain))
  const ask = useMutation({
    mutationFn: () => askResolvers(project.slug, domain.hostname),
    // What was seen is stored: headline and sentence are the same for everybody.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: domainQuery(project.slug, domain.hostname).queryKey }),
  })
  const move = view.data?.move
  if (!move || move.phase === 'before') return null
  return (
    <Section
      flush
      title={move.phase === 'moved' ? 'Moved' : 'Moving'}
      description={withLocalTimes(move.sentence)}
      actions={
        mayEdit(project) && (
          <Button
            variant="default"
            leftSection={<IconRadar size={16} />}
            loading={ask.isPending}
            onClick={() => ask.mutate()}
          >
            Ask nameservers and resolvers
          </Button>
        )
      }
    >
      {(ask.data ?? ask.error) && (
        <Stack gap="md">
          <Refusal error={ask.error} />
          {ask.data && (
            <DataTable
              className="rows card-rows"
              columns={COLUMNS}
              items={ask.data.rows}
              keyOf={({ kind, name, address }) => `${kind} ${name} ${address}`}
            />
          )}
        </Stack>
      )}
    </Section>
  )
}

const TONES: Record<AnswerRow['has'], [Tone, string]> = {
  new: ['green', 'new'],
  old: ['warm', 'old'],
  none: ['plain', 'nothing'],
  unknown: ['plain', 'no answer'],
}

const COLUMNS: Column<AnswerRow>[] = [
  {
    head: 'Who',
    className: 'wrap-anywhere',
    cell: ({ kind, name, address }) => (
      <>
        {name} <span className="mono">{address}</span> <Tag tone="plain">{kind}</Tag>
      </>
    ),
  },
  {
    head: 'Answer',
    className: 'mono wrap-anywhere',
    cell: ({ answers }) => (
      <div>
        {answers.map((answer) => (
          <div key={answer}>{answer}</div>
        ))}
      </div>
    ),
  },
  {
    head: 'Has',
    cell: ({ has, until }) => (
      <span>
        <Tag tone={TONES[has][0]}>{TONES[has][1]}</Tag>
        {until && ` until ${timeText(until)} at the latest`}
      </span>
    ),
  },
]
