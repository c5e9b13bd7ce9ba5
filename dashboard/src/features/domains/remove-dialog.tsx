import { Checkbox } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { type Domain, domainsQuery, removeDomain } from '../../api/domains.ts'
import { Confirm } from '../../parts/confirm.tsx'
import type { Opener } from '../../parts/give-back-focus.ts'
import { useLeadOn } from '../../parts/use-parameter.ts'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'

interface RemoveDialogProps {
  domain: Domain
  opened: boolean
  close(): void
  opener: Opener
}

export default function RemoveDialog({ domain, opened, close, opener }: RemoveDialogProps) {
  const { slug } = useProject()
  const leadOn = useLeadOn()
  const { data: domains = [] } = useQuery(domainsQuery(slug))
  const { hostname, role } = domain
  const heir = role === 'primary' ? domains.find(({ redirect }) => redirect?.to === hostname) : undefined
  const instead =
    role === 'primary'
      ? 'keep the domain and choose Make primary for another one, to which this one then redirects.'
      : 'keep the domain and choose Redirect… in its menu instead.'
  const redirectFirst = `If this URL was shared, set up a redirect first: ${instead}`
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`Remove ${hostname}?`}
      action="Remove"
      opener={opener}
      initial={{ revoke: false }}
      send={({ revoke }) => removeDomain(slug, hostname, revoke)}
      sent={() => {
        // Where the list says at once whether DNS still leads here.
        leadOn(`/projects/${slug}/settings/domains?removed=${encodeURIComponent(hostname)}`)
        const told = { message: `${hostname} has been removed, and is not served any more.` }
        void queryClient.invalidateQueries({ queryKey: ['projects', slug] }).then(() => notifications.show(told))
      }}
    >
      {({ revoke }, set) => (
        <>
          <p>
            <strong>Traffic stops being served immediately.</strong> {redirectFirst}
          </p>
          {heir && (
            <p>
              It is the primary domain: <strong>{heir.hostname}</strong> takes its place.
            </p>
          )}
          <p>
            Delete its DNS record afterwards, unless another project takes the name over: this page then says whether it
            still points here.
          </p>
          {domain.certificate && (
            <Checkbox
              mt="sm"
              label="Also revoke its certificate"
              description="Only needed when somebody else may have had its key."
              checked={revoke}
              onChange={(event) => set({ revoke: event.currentTarget.checked })}
            />
          )}
        </>
      )}
    </Confirm>
  )
}
