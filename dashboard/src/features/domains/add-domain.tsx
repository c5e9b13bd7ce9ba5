import { TextInput } from '@mantine/core'
import { addDomain, domainQuery, domainsKey, prepareDomain } from '../../api/domains.ts'
import { useInstallation } from '../../api/installation.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useLeadOn } from '../../parts/use-parameter.ts'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'

interface AddDomainProps {
  opened: boolean
  close(): void
  /** What is known already. */
  hostname?: string
  /** It is in use elsewhere, and is to have its certificate before its record changes. */
  prepare?: boolean
}

export default function AddDomain({ opened, close, hostname: known = '', prepare = false }: AddDomainProps) {
  const { slug } = useProject()
  const { sandbox } = useInstallation()
  const leadOn = useLeadOn()
  return (
    <FormDialog
      opened={opened}
      close={close}
      title={prepare ? 'Prepare domain' : 'Add domain'}
      action={prepare ? 'Prepare domain' : 'Add domain'}
      initial={{ hostname: known }}
      isComplete={({ hostname }) => hostname.trim() !== ''}
      send={({ hostname }) => (prepare ? prepareDomain : addDomain)(slug, hostname)}
      sent={(domain, _, gone) => {
        queryClient.setQueryData(domainQuery(slug, domain.hostname).queryKey, domain)
        void queryClient.invalidateQueries({ queryKey: domainsKey(slug), exact: true })
        if (known !== domain.hostname && !gone.aborted) leadOn(`/projects/${slug}/settings/domains/${domain.hostname}`)
      }}
    >
      {({ hostname }, set) => (
        <TextInput
          label="Domain or subdomain"
          description={
            prepare
              ? 'One that is in use elsewhere. Visitors stay there until you change its record, and notice nothing.'
              : 'In whatever form you have it: we find the name in a pasted address too.'
          }
          placeholder={sandbox ? 'www.example.test' : 'www.example.com'}
          required
          data-autofocus
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          value={hostname}
          onChange={(event) => set({ hostname: event.currentTarget.value })}
        />
      )}
    </FormDialog>
  )
}
