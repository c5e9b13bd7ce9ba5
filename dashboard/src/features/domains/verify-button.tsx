import { Button, type ButtonProps } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { IconRefresh, IconShieldCheck } from '../../icons/icons.ts'
import { messageOf } from '../../api/platform.ts'
import { type Domain, type DomainDetails, domainQuery, domainsKey, verifyDomain } from '../../api/domains.ts'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'

interface VerifyButtonProps extends ButtonProps {
  domain: Domain
  /** Stands in a list, where its word alone does not say which. */
  isOneOfMany?: boolean
}

/** Verify the first time, Re-verify from then on: a new attempt, for the certificate as well. */
export function VerifyButton({ domain, isOneOfMany = false, ...rest }: VerifyButtonProps) {
  const project = useProject()
  const verify = useVerify(project.slug, domain.hostname)
  if (!mayEdit(project) || domain.state === 'removed') return null
  const again = domain.verifiedAt !== null
  const action = again ? 'Re-verify' : 'Verify'
  return (
    <Button
      leftSection={again ? <IconRefresh size={16} /> : <IconShieldCheck size={16} />}
      {...rest}
      loading={verify.isPending || domain.state === 'verifying'}
      onClick={() => verify.mutate()}
      {...(isOneOfMany ? { 'aria-label': `${action} ${domain.hostname}` } : {})}
    >
      {action}
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
