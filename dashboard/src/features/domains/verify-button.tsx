import { Button, type ButtonProps } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { IconRefresh, IconShieldCheck } from '../../icons/icons.ts'
import { messageOf } from '../../api/platform.ts'
import { type Domain, type DomainDetails, domainQuery, domainsKey, verifyDomain } from '../../api/domains.ts'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'

/** Verify the first time, Re-verify from then on: a new attempt, for the certificate as well. */
export function VerifyButton({ domain, ...rest }: { domain: Domain } & ButtonProps) {
  const project = useProject()
  const verify = useVerify(project.slug, domain.hostname)
  if (!mayEdit(project) || domain.state === 'removed') return null
  const again = domain.verifiedAt !== null
  return (
    <Button
      leftSection={again ? <IconRefresh size={16} /> : <IconShieldCheck size={16} />}
      {...rest}
      loading={verify.isPending || domain.state === 'verifying'}
      onClick={() => verify.mutate()}
    >
      {again ? 'Re-verify' : 'Verify'}
    </Button>
  )
}

export function useVerify(slug: string, hostname: string) {
  return useMutation({
    mutationFn: () => verifyDomain(slug, hostname),
    onSuccess: (view) => {
      queryClient.setQueryData<DomainDetails>(
        domainQuery(slug, hostname).queryKey,
        (known) => known && { ...known, ...view },
      )
      return queryClient.invalidateQueries({ queryKey: domainsKey(slug) })
    },
    onError: (error) =>
      notifications.show({ color: 'red', title: 'The check did not start', message: messageOf(error) }),
  })
}
