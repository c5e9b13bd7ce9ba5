import { Select, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { REDIRECT_STATUSES } from '../../../../src/features/domains/redirects.ts'
import { type Domain, domainsKey, domainsQuery, setRedirect } from '../../api/domains.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import type { Opener } from '../../parts/give-back-focus.ts'
import { sayWithUndo } from '../../parts/undo.tsx'
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
export default function RedirectDialog({
  domain: { hostname: from, redirect },
  opened,
  close,
  opener,
}: RedirectDialogProps) {
  const { slug } = useProject()
  const { data: domains = [] } = useQuery({ ...domainsQuery(slug), enabled: opened })
  // A wildcard shows the site at its names, and is itself none that a visitor could be led to.
  const others = domains.filter(({ hostname, role }) => hostname !== from && role !== 'wildcard')
  const targets = others.map(({ hostname }) => hostname)
  return (
    <FormDialog
      opened={opened}
      close={close}
      opener={opener}
      title="Redirect"
      action="Save redirect"
      initial={{ to: redirect?.to ?? targets[0] ?? '', status: String(redirect?.status ?? 301) }}
      isComplete={({ to }) => to !== ''}
      send={async ({ to, status }) => {
        await setRedirect(slug, from, { to, status: Number(status) })
        // As it was when it was sent: the news may be here before the answer.
        return redirect
      }}
      sent={async (before, { to, status }) => {
        const refresh = () => queryClient.invalidateQueries({ queryKey: domainsKey(slug) })
        await refresh()
        const message = `${from} redirects to ${to} with ${status}.`
        if (!before) return notifications.show({ message })
        sayWithUndo(message, () => setRedirect(slug, from, before).then(refresh))
      }}
    >
      {({ to, status }, set) => (
        <>
          <TextInput label="From" value={from} readOnly />
          <Select
            label="To"
            description="A domain of this project. Path and query are kept."
            data-autofocus
            allowDeselect={false}
            data={targets}
            value={to}
            onChange={(chosen) => set({ to: chosen ?? '' })}
          />
          <Select
            label="Status"
            allowDeselect={false}
            value={status}
            onChange={(chosen) => set({ status: chosen ?? '301' })}
            data={REDIRECT_STATUSES.map((code) => ({ value: String(code), label: `${code} – ${MEANINGS[code]}` }))}
          />
        </>
      )}
    </FormDialog>
  )
}
