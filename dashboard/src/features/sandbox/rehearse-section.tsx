import { Button, SimpleGrid, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../api/platform.ts'
import { addFault, addRecord, removeFault, removeRecord, sandboxQuery, type SandboxZone } from '../../api/sandbox.ts'
import { Section } from '../../parts/section.tsx'
import { sayWithUndo } from '../../parts/undo.tsx'
import { queryClient } from '../../query-client.ts'

const refresh = () => queryClient.invalidateQueries(sandboxQuery)

interface Rehearsal {
  title: string
  about: string
  /** Returns how to take it back. */
  run(apex: string, name: string, nameserver: string): Promise<() => Promise<unknown>>
}

const recordIn: (...given: Parameters<typeof addRecord>) => ReturnType<Rehearsal['run']> = async (apex, record) => {
  const { id } = await addRecord(apex, record)
  return () => removeRecord(apex, id)
}

const faultOf: (...given: Parameters<typeof addFault>) => ReturnType<Rehearsal['run']> = async (apex, fault) => {
  const { id } = await addFault(apex, fault)
  return () => removeFault(apex, id)
}

const REHEARSALS: Rehearsal[] = [
  {
    title: 'A conflicting A record',
    about: 'Blocks the CNAME of the same name.',
    run: (apex, name) => recordIn(apex, { name, type: 'A', value: '203.0.113.10' }),
  },
  {
    title: 'A wrong CNAME value',
    about: 'Differs from the one the dashboard shows.',
    run: (apex, name) => recordIn(apex, { name, type: 'CNAME', value: 'somewhere.else.test' }),
  },
  {
    title: 'A blocking CAA record',
    about: 'Verified, but no certificate.',
    run: (apex) => recordIn(apex, { name: '@', type: 'CAA', value: '0 issue "another-authority.example"' }),
  },
  {
    title: 'A failing nameserver',
    about: 'One of the two answers SERVFAIL.',
    run: (apex, _name, nameserver) => faultOf(apex, { kind: 'servfail', onlyOn: nameserver }),
  },
  {
    title: 'A slow nameserver',
    about: 'One of the two takes its time.',
    run: (apex, _name, nameserver) => faultOf(apex, { kind: 'delay', onlyOn: nameserver }),
  },
  {
    title: 'A silent zone',
    about: 'Nobody answers at all.',
    run: (apex) => faultOf(apex, { kind: 'drop' }),
  },
]

/** The usual accidents, one click each; undo them in the lists above and below. */
export function RehearseSection({ zone }: { zone: SandboxZone }) {
  const [name, setName] = useState('www')
  const cause = useMutation({
    mutationFn: ({ run }: Rehearsal) => run(zone.apex, name.trim() || '@', zone.nameservers[1] ?? ''),
    onSuccess: (takeBack, { title }) =>
      sayWithUndo(`${title}: in place. Choose Verify to see what it does.`, () => takeBack().then(refresh)),
    onError: (error) => notifications.show({ color: 'red', message: messageOf(error) }),
    onSettled: refresh,
  })
  return (
    <Section
      title="Rehearse an accident"
      description="Each one does what goes wrong in real life. Take it back by deleting what it has added."
      actions={
        <TextInput
          label="Happens to"
          size="xs"
          w={110}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {REHEARSALS.map((rehearsal) => (
          <div key={rehearsal.title} className="rehearsal">
            <div>
              <Text size="sm" fw={600}>
                {rehearsal.title}
              </Text>
              <Text size="xs" c="dimmed">
                {rehearsal.about}
              </Text>
            </div>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Cause: ${rehearsal.title}`}
              loading={cause.isPending && cause.variables === rehearsal}
              onClick={() => cause.mutate(rehearsal)}
            >
              Cause
            </Button>
          </div>
        ))}
      </SimpleGrid>
    </Section>
  )
}
