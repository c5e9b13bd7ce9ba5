import './sandbox.css'
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, Redirect, useParams } from 'wouter'
import { IconFlask, IconPlus } from '../../icons/icons.ts'
import { useInstallation } from '../../api/installation.ts'
import { addZone, sandboxQuery } from '../../api/sandbox.ts'
import { NotFoundPage } from '../../frame/not-found-page.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { WaitingLines } from '../../parts/waiting.tsx'
import { useLeadOn } from '../../parts/use-parameter.ts'
import { queryClient } from '../../query-client.ts'
import { FaultsSection } from './faults-section.tsx'
import { RecordsSection } from './records-section.tsx'
import { RehearseSection } from './rehearse-section.tsx'

export default function SandboxPage() {
  const { sandbox } = useInstallation()
  const { apex } = useParams<{ apex?: string }>()
  const zones = useQuery({ ...sandboxQuery, enabled: sandbox })
  const [adding, { open, close }] = useDisclosure(false)
  if (!sandbox) return <NotFoundPage />
  const zone = zones.data?.find((known) => known.apex === apex)
  if (zones.data && zones.data.length > 0 && !zone) return <Redirect to={`/sandbox/${zones.data[0]?.apex}`} replace />
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
      <QueryGuard query={zones} waiting={<WaitingLines lines={5} />}>
        {(all) => (
          <Group gap="xs" role="navigation" aria-label="Zones">
            {all.map((known) => (
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
      </QueryGuard>
      {zone && (
        <Stack gap="lg">
          <RecordsSection key={zone.apex} zone={zone} />
          <RehearseSection zone={zone} />
          <FaultsSection zone={zone} />
        </Stack>
      )}
      <NewZone opened={adding} close={close} />
    </Page>
  )
}

function NewZone({ opened, close }: { opened: boolean; close(): void }) {
  const leadOn = useLeadOn()
  return (
    <FormDialog
      opened={opened}
      close={close}
      title="Add a zone"
      action="Add zone"
      initial={{ apex: '' }}
      isComplete={({ apex }) => apex.trim() !== ''}
      send={({ apex }) => addZone(apex.trim())}
      sent={async (_, { apex }, gone) => {
        await queryClient.invalidateQueries(sandboxQuery)
        if (!gone.aborted) leadOn(`/sandbox/${apex.trim().toLowerCase()}`)
      }}
    >
      {({ apex }, set) => (
        <TextInput
          label="Zone"
          placeholder="my-shop.test"
          description="A name below .test, .example, .internal or .invalid."
          required
          data-autofocus
          value={apex}
          onChange={(event) => set({ apex: event.currentTarget.value })}
        />
      )}
    </FormDialog>
  )
}
