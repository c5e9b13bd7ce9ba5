import { Checkbox } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { type Domain, domainsQuery, removeDomain } from '../../api/domains.ts'
import { Confirm } from '../../parts/confirm.tsx'
import type { Opener } from '../../parts/give-back-focus.ts'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'

interface RemoveDialogProps {
  domain: Domain
  opened: boolean
  close(): void
  opener: Opener
}

export function RemoveDialog({ domain, opened, close, opener }: RemoveDialogProps) {
  const { slug } = useProject()
  const [, go] = useLocation()
  const { data: domains = [] } = useQuery(domainsQuery(slug))
  const { hostname, role } = domain
  const heir = role === 'primary' ? domains.find(({ redirect }) => redirect?.to === hostname) : undefined
  const [revoke, setRevoke] = useState(false)
  const list = `/projects/${slug}/settings/domains`
  const remove = useMutation({
    mutationFn: () => removeDomain(slug, hostname, revoke),
    onSuccess: async () => {
      close()
      // Where the list says at once whether DNS still leads here.
      go(`${list}?removed=${encodeURIComponent(hostname)}`)
      await queryClient.invalidateQueries({ queryKey: ['projects', slug] })
      notifications.show({ message: `${hostname} has been removed, and is not served any more.` })
    },
  })
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`Remove ${hostname}?`}
      action="Remove"
      pending={remove.isPending}
      error={remove.error}
      opener={opener}
      run={() => remove.mutate()}
    >
      <p>
        <strong>Traffic stops being served immediately.</strong> If this URL was shared, set up a redirect first:{' '}
        {role === 'primary'
          ? 'keep the domain and choose Make primary for another one, to which this one then redirects.'
          : 'keep the domain and choose Redirect… in its menu instead.'}
      </p>
      {heir && (
        <p>
          It is the primary domain: <strong>{heir.hostname}</strong> takes its place.
        </p>
      )}
      <p>Delete its DNS record afterwards: this page then says whether it still points here.</p>
      {domain.certificate && (
        <Checkbox
          mt="sm"
          label="Also revoke its certificate"
          description="Only needed when somebody else may have had its key."
          checked={revoke}
          onChange={(event) => setRevoke(event.currentTarget.checked)}
        />
      )}
    </Confirm>
  )
}
