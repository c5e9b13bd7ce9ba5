import { TextInput } from '@mantine/core'
import { useInstallation } from '../../api/installation.ts'
import { createProject, projectsQuery } from '../../api/projects.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useLeadOn } from '../../parts/use-parameter.ts'
import { queryClient } from '../../query-client.ts'

interface Draft {
  name: string
  /** The address; follows the name until somebody has typed another. */
  typed?: string
}

export default function NewProject({ opened, close }: { opened: boolean; close(): void }) {
  const { platformHost } = useInstallation()
  const leadOn = useLeadOn()
  const initial: Draft = { name: '' }
  return (
    <FormDialog
      opened={opened}
      close={close}
      title="New project"
      action="Create project"
      initial={initial}
      isComplete={(draft) => draft.name.trim() !== '' && addressOf(draft) !== ''}
      send={(draft) => createProject({ slug: addressOf(draft), name: draft.name.trim() })}
      sent={(project, _, gone) => {
        queryClient.setQueryData(projectsQuery.queryKey, (known) => [...(known ?? []), project])
        if (!gone.aborted) leadOn(`/projects/${project.slug}`, { replace: true })
      }}
    >
      {(draft, set) => (
        <>
          <TextInput
            label="Name"
            placeholder="Corner Pet Shop"
            required
            maxLength={100}
            data-autofocus
            value={draft.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <TextInput
            label="Address"
            required
            description={`Your site will be at ${addressOf(draft) || '…'}.${platformHost}`}
            maxLength={63}
            value={addressOf(draft)}
            onChange={(event) => set({ typed: event.currentTarget.value.toLowerCase() })}
          />
        </>
      )}
    </FormDialog>
  )
}

const addressOf = ({ name, typed }: Draft) => typed ?? slugOf(name)

/** A first idea of the address; the service has the last word. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const words = plain.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, '')
  return words.slice(0, 63).replace(/-$/, '')
}
