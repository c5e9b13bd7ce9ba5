import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { REDIRECT_STATUSES } from '../../../../src/features/domains/redirects.ts'
import { type Domain, domainsKey, domainsQuery, setRedirect } from '../../api/domains.ts'
import { giveBackFocus, type Opener } from '../../parts/give-back-focus.ts'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'

const MEANINGS: Record<number, string> = {
  301: 'moved permanently',
  302: 'found, for now',
  307: 'temporary, same method',
  308: 'permanent, same method',
}

interface RedirectDialogProps {
  domain: Domain
  opened: boolean
  close(): void
  opener: Opener
}

/** From, to and status of a redirect. */
export function RedirectDialog({ domain, opened, close, opener }: RedirectDialogProps) {
  return (
    <Modal opened={opened} onClose={close} title="Redirect" {...giveBackFocus(opener)}>
      <Fields domain={domain} close={close} />
    </Modal>
  )
}

function Fields({ domain, close }: Pick<RedirectDialogProps, 'domain' | 'close'>) {
  const { slug } = useProject()
  const { data: domains = [] } = useQuery(domainsQuery(slug))
  const targets = domains.filter(({ hostname }) => hostname !== domain.hostname)
  const [to, setTo] = useState(domain.redirect?.to ?? targets[0]?.hostname ?? '')
  const [status, setStatus] = useState(String(domain.redirect?.status ?? 301))
  const save = useMutation({
    mutationFn: () => setRedirect(slug, domain.hostname, { to, status: Number(status) }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: domainsKey(slug) })
      notifications.show({ message: `${domain.hostname} redirects to ${to} with ${status}.` })
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
        <TextInput label="From" value={domain.hostname} readOnly />
        <Select
          label="To"
          description="A domain of this project. Path and query are kept."
          data-autofocus
          allowDeselect={false}
          data={targets.map(({ hostname }) => hostname)}
          value={to}
          onChange={(chosen) => setTo(chosen ?? '')}
        />
        <Select
          label="Status"
          allowDeselect={false}
          value={status}
          onChange={(chosen) => setStatus(chosen ?? '301')}
          data={REDIRECT_STATUSES.map((code) => ({ value: String(code), label: `${code} – ${MEANINGS[code]}` }))}
        />
        <Refusal error={save.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={to === ''}>
            Save redirect
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
