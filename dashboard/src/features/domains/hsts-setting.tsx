import { Select } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../api/api-error.ts'
import { type DomainDetails, domainsKey, setHsts } from '../../api/domains.ts'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'

const DAY_SECONDS = 86_400

const CHOICES = [
  { value: 'off', label: 'Off' },
  { value: String(DAY_SECONDS), label: '1 day' },
  { value: String(30 * DAY_SECONDS), label: '30 days' },
  { value: String(365 * DAY_SECONDS), label: '1 year' },
  { value: String(730 * DAY_SECONDS), label: '2 years' },
]

/** How long browsers refuse to visit the domain without HTTPS. */
export function HstsSetting({ domain }: { domain: DomainDetails }) {
  const project = useProject()
  const save = useMutation({
    mutationFn: (chosen: string) => setHsts(project.slug, domain.hostname, chosen === 'off' ? null : Number(chosen)),
    onSuccess: () => notifications.show({ message: 'Saved: it counts from the next answer on.' }),
    onError: (error) => notifications.show({ color: 'red', title: 'Nothing was changed', message: messageOf(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: domainsKey(project.slug) }),
  })
  const current = domain.hstsSeconds === null ? 'off' : String(domain.hstsSeconds)
  const known = CHOICES.some(({ value }) => value === current)
  return (
    <Select
      label="Strict-Transport-Security" maw="26rem" allowDeselect={false} disabled={!mayEdit(project) || save.isPending}
      description="Browsers then visit this domain over HTTPS only, for so long after their last visit. Begin with a day."
      data={known ? CHOICES : [...CHOICES, { value: current, label: `${current} seconds` }]}
      value={save.isPending ? save.variables : current} onChange={(chosen) => save.mutate(chosen ?? 'off')}
    />
  )
}
