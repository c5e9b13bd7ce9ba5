import { Button, Group, NativeSelect, Switch, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../api/platform.ts'
import { addFault, removeFault, sandboxQuery, type SandboxFault, type SandboxZone } from '../../api/sandbox.ts'
import { useSubmit } from '../../parts/form.tsx'
import { Section } from '../../parts/section.tsx'
import { sayWithUndo } from '../../parts/undo.tsx'
import { queryClient } from '../../query-client.ts'
import { labelOf } from './label-of.ts'

const MEANINGS: Record<string, string> = {
  servfail: 'answers SERVFAIL',
  nxdomain: 'says that the name does not exist',
  refused: 'refuses to answer',
  drop: 'stays silent',
  delay: 'answers late',
  truncate: 'cuts its answers, over TCP too',
  lame: 'does not know the zone',
  'wrong-id': 'answers another question',
  garbage: 'sends nonsense',
  dnssec: 'has bogus signatures',
}
const EVERYWHERE = 'All nameservers'

const settle = {
  onError: (error: unknown) => notifications.show({ color: 'red', message: messageOf(error) }),
  onSettled: () => queryClient.invalidateQueries(sandboxQuery),
}

/** Faults of the nameservers themselves: what is here is on, and switching it off removes it. */
export function FaultsSection({ zone }: { zone: SandboxZone }) {
  const [kind, setKind] = useState('servfail')
  const [place, setPlace] = useState(EVERYWHERE)
  const add = useMutation({
    mutationFn: () => addFault(zone.apex, { kind, ...(place === EVERYWHERE ? {} : { onlyOn: place }) }),
    ...settle,
    onSuccess: ({ id }) =>
      sayWithUndo('The fault is switched on.', () => removeFault(zone.apex, id).then(settle.onSettled)),
  })
  return (
    <Section title="Faults" description="How the nameservers of this zone misbehave at the moment.">
      {zone.faults.length === 0 ? (
        <Text size="sm" c="dimmed">
          None: they answer as they should.
        </Text>
      ) : (
        <ul className="faults">
          {zone.faults.map((fault) => (
            <FaultItem key={fault.id} fault={fault} apex={zone.apex} />
          ))}
        </ul>
      )}
      <form onSubmit={useSubmit(add.mutateAsync)}>
        <Group align="flex-end" gap="sm" mt="md">
          <NativeSelect
            label="Nameserver"
            data={[EVERYWHERE, ...zone.nameservers]}
            value={place}
            onChange={({ currentTarget: { value } }) => setPlace(value)}
          />
          <NativeSelect
            label="What it does"
            w={250}
            value={kind}
            onChange={({ currentTarget: { value } }) => setKind(value)}
            data={Object.entries(MEANINGS).map(([value, label]) => ({ value, label }))}
          />
          <Button type="submit" variant="default" loading={add.isPending}>
            Switch on
          </Button>
        </Group>
      </form>
    </Section>
  )
}

function FaultItem({ fault, apex }: { fault: SandboxFault; apex: string }) {
  const { id, kind, name, type, onlyOn } = fault
  const remove = useMutation({
    mutationFn: () => removeFault(apex, id),
    ...settle,
    onSuccess: () =>
      sayWithUndo('The fault is switched off.', () =>
        addFault(apex, {
          kind,
          ...(name ? { name: labelOf(name, apex) } : {}),
          ...(type ? { type } : {}),
          ...(onlyOn ? { onlyOn } : {}),
        }).then(settle.onSettled),
      ),
  })
  const scope = [type && `for ${type}`, name && `at ${labelOf(name, apex)}`].filter(Boolean).join(' ')
  return (
    <li>
      <Switch
        checked={!remove.isPending}
        disabled={remove.isPending}
        onChange={() => remove.mutate()}
        label={`${onlyOn ?? 'Every nameserver'} ${MEANINGS[kind] ?? kind} ${scope}`.trim()}
      />
    </li>
  )
}
