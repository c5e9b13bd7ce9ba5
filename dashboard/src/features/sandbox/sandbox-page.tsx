import './sandbox.css'
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconFlask, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, Redirect, useLocation, useParams } from 'wouter'
import { useInstallation } from '../../api/installation.ts'
import { addZone, sandboxQuery } from '../../api/sandbox.ts'
import { NotFoundPage } from '../../frame/not-found-page.tsx'
import { Page } from '../../parts/page.tsx'
import { Refusal, Trouble } from '../../parts/trouble.tsx'
import { WaitingLines } from '../../parts/waiting.tsx'
import { queryClient } from '../../query-client.ts'
import { FaultsSection } from './faults-section.tsx'
import { RecordsSection } from './records-section.tsx'
import { RehearseSection } from './rehearse-section.tsx'

export default function SandboxPage() {
  const { sandbox } = useInstallation()
  const { apex } = useParams<{ apex?: string }>()
  const { data: zones, error, refetch } = useQuery({ ...sandboxQuery, enabled: sandbox })
  const [adding, { open, close }] = useDisclosure(false)
  if (!sandbox) return <NotFoundPage />
  const zone = zones?.find((known) => known.apex === apex)
  if (zones && zones.length > 0 && !zone) return <Redirect to={`/sandbox/${zones[0]?.apex}`} replace />
  return (
    <Page title="Sandbox registrar">
      <section className="sandbox-band" aria-label="About the sandbox">
        <IconFlask size={24} stroke={1.6} aria-hidden="true" />
        <div>
          <p className="sandbox-band-title">This is a sandbox</p>
          <p>
            It plays the DNS for this machine alone, so that you can rehearse custom domains offline. Nothing here
            reaches the internet, and nothing here exists outside of local mode.
          </p>
        </div>
      </section>
      {error && !zones && <Trouble error={error} retry={() => void refetch()} />}
      {!error && !zones && <WaitingLines lines={5} />}
      {zones && (
        <Group gap="xs" role="navigation" aria-label="Zones">
          {zones.map((known) => (
            <Link
              key={known.apex}
              href={`/sandbox/${known.apex}`}
              className="zone-link"
              {...(known.apex === apex ? { 'aria-current': 'page' as const } : {})}
            >
              {known.apex}
            </Link>
          ))}
          <Button variant="subtle" size="xs" leftSection={<IconPlus size={15} />} onClick={open}>
            Add zone
          </Button>
        </Group>
      )}
      {zone && (
        <Stack gap="lg">
          <RecordsSection key={zone.apex} zone={zone} />
          <RehearseSection zone={zone} />
          <FaultsSection zone={zone} />
        </Stack>
      )}
      <Modal opened={adding} onClose={close} title="Add a zone">
        <NewZone close={close} />
      </Modal>
    </Page>
  )
}

function NewZone({ close }: { close(): void }) {
  const [apex, setApex] = useState('')
  const [, go] = useLocation()
  const add = useMutation({
    mutationFn: () => addZone(apex.trim()),
    onSuccess: async () => {
      await queryClient.invalidateQueries(sandboxQuery)
      close()
      go(`/sandbox/${apex.trim().toLowerCase()}`)
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Zone"
          placeholder="my-shop.test"
          description="A name below .test, .example, .internal or .invalid."
          required
          data-autofocus
          value={apex}
          onChange={(event) => setApex(event.currentTarget.value)}
        />
        <Refusal error={add.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending} disabled={apex.trim() === ''}>
            Add zone
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
