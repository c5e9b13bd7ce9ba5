import { Alert, Checkbox, Radio, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type DomainDetails, domainsKey, setHsts } from '../../api/domains.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'
import { hstsChoices, lengthText, OFF } from './hsts-choices.ts'

interface HstsDialogProps {
  domain: DomainDetails
  opened: boolean
  close(): void
}

/** Asks twice before something that lives on in browsers where nobody can reach it. */
export default function HstsDialog({ domain: { hostname, hstsSeconds: current }, opened, close }: HstsDialogProps) {
  const { slug } = useProject()
  const isLonger = (seconds: number | null): seconds is number => seconds !== null && seconds > (current ?? 0)
  return (
    <FormDialog
      opened={opened}
      close={close}
      title={`HTTPS only for ${hostname}`}
      size="lg"
      action="Save"
      initial={{ seconds: current, understood: false }}
      isComplete={({ seconds, understood }) => seconds !== current && (understood || !isLonger(seconds))}
      send={({ seconds }) => setHsts(slug, hostname, seconds)}
      sent={async (_, { seconds }) => {
        await queryClient.invalidateQueries({ queryKey: domainsKey(slug) })
        notifications.show({ message: savedText(hostname, seconds) })
      }}
    >
      {({ seconds, understood }, set) => (
        <>
          <Radio.Group
            label="Browsers remember it for"
            value={seconds === null ? OFF : String(seconds)}
            onChange={(chosen) => set({ seconds: chosen === OFF ? null : Number(chosen), understood: false })}
          >
            <Stack gap="xs" mt={6}>
              {hstsChoices(current).map(({ value, label, about }) => (
                <Radio
                  key={value}
                  value={value}
                  label={label}
                  description={about}
                  {...(value === (seconds === null ? OFF : String(seconds)) ? { 'data-autofocus': true } : {})}
                />
              ))}
            </Stack>
          </Radio.Group>
          {isLonger(seconds) && (
            <>
              <Alert className="notice is-warm" title="This cannot be recalled">
                Whoever has visited {hostname} is refused without HTTPS for {lengthText(seconds)} after the last visit,
                whatever you change here later, and also if you move the domain to another host without HTTPS.
              </Alert>
              <Checkbox
                label={`${hostname} works over HTTPS, and will for at least ${lengthText(seconds)}`}
                checked={understood}
                onChange={(event) => set({ understood: event.currentTarget.checked })}
              />
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}

function savedText(hostname: string, seconds: number | null): string {
  if (seconds === null) return `${hostname} sends no HSTS header any more.`
  if (seconds === 0) return `Browsers forget it when they next visit ${hostname}.`
  return `Browsers that visit ${hostname} from now on keep to HTTPS for ${lengthText(seconds)}.`
}
