import { TextInput } from '@mantine/core'
import { useLocation } from 'wouter'
import { addDomain, domainQuery, domainsKey } from '../../api/domains.ts'
import { useInstallation } from '../../api/installation.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'

export function AddDomain({ opened, close }: { opened: boolean; close(): void }) {
  const { slug } = useProject()
  const { sandbox } = useInstallation()
  const [, go] = useLocation()
  return (
    <FormDialog
      opened={opened}
      close={close}
      title="Add domain"
      action="Add domain"
      initial={{ hostname: '' }}
      isComplete={({ hostname }) => hostname.trim() !== ''}
      send={({ hostname }) => addDomain(slug, hostname)}
      sent={(domain) => {
        queryClient.setQueryData(domainQuery(slug, domain.hostname).queryKey, domain)
        void queryClient.invalidateQueries({ queryKey: domainsKey(slug), exact: true })
        close()
        go(`/projects/${slug}/settings/domains/${domain.hostname}`)
      }}
    >
      {({ hostname }, set) => (
        <TextInput
          label="Domain or subdomain"
          description="In whatever form you have it: we find the name in a pasted address too."
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
