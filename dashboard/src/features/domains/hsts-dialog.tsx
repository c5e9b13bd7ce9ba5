import { Alert, Button, Checkbox, Group, Modal, Radio, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type DomainDetails, domainsKey, setHsts } from '../../api/domains.ts'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'
import { hstsChoices, lengthText, OFF } from './hsts-choices.ts'

interface HstsDialogProps {
  domain: DomainDetails
  opened: boolean
  close(): void
}

/** Asks twice before something that lives on in browsers where nobody can reach it. */
export function HstsDialog({ domain, opened, close }: HstsDialogProps) {
  return (
    <Modal opened={opened} onClose={close} title={`HTTPS only for ${domain.hostname}`} size="lg">
      <Fields domain={domain} close={close} />
    </Modal>
  )
}

function Fields({ domain, close }: Omit<HstsDialogProps, 'opened'>) {
  const { slug } = useProject()
  const { hostname, hstsSeconds: current } = domain
  const [chosen, setChosen] = useState(current === null ? OFF : String(current))
  const [understood, setUnderstood] = useState(false)
  const choose = (value: string) => {
    setChosen(value)
    setUnderstood(false)
  }
  const seconds = chosen === OFF ? null : Number(chosen)
  const isLonger = seconds !== null && seconds > (current ?? 0)
  const save = useMutation({
    mutationFn: () => setHsts(slug, hostname, seconds),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: domainsKey(slug) })
      notifications.show({ message: savedText(hostname, seconds) })
      close()
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Stack gap="md">
        <Radio.Group label="Browsers remember it for" value={chosen} onChange={choose}>
          <Stack gap="xs" mt={6}>
            {hstsChoices(current).map(({ value, label, about }) => (
              <Radio
                key={value}
                value={value}
                label={label}
                description={about}
                {...(value === chosen ? { 'data-autofocus': true } : {})}
              />
            ))}
          </Stack>
        </Radio.Group>
        {isLonger && (
          <>
            <Alert className="notice is-warm" title="This cannot be recalled">
              Whoever has visited {hostname} is refused without HTTPS for {lengthText(seconds)} after the last visit,
              whatever you change here later, and also if you move the domain to another host without HTTPS.
            </Alert>
            <Checkbox
              label={`${hostname} works over HTTPS, and will for at least ${lengthText(seconds)}`}
              checked={understood}
              onChange={(event) => setUnderstood(event.currentTarget.checked)}
            />
          </>
        )}
        <Refusal error={save.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={seconds === current || (isLonger && !understood)}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function savedText(hostname: string, seconds: number | null): string {
  if (seconds === null) return `${hostname} sends no HSTS header any more.`
  if (seconds === 0) return `Browsers forget it when they next visit ${hostname}.`
  return `Browsers that visit ${hostname} from now on keep to HTTPS for ${lengthText(seconds)}.`
}
