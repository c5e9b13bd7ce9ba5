import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { confirmAddress, SESSION_KEY } from '../../api/session.ts'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'
import { SpentLink } from './spent-link.tsx'
import { useLink } from './use-link.ts'
import { Welcome } from './welcome.tsx'

/** Opened by the link that was sent to an address. A click is asked for: programs that scan mail open links too. */
export function ConfirmAddressPage() {
  const { token, data: link, error, refetch } = useLink()
  const [, go] = useLocation()
  const confirm = useMutation({
    mutationFn: () => confirmAddress(token),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: SESSION_KEY })
      go('/', { replace: true })
    },
  })
  if (token === '' || error || (link && link.kind !== 'email')) return <SpentLink error={error} refetch={refetch} />

  return (
    <Welcome
      title="Confirm your address"
      description={
        link?.email ? `${link.email} is the address that you sign in with, once you confirm it.` : 'One moment…'
      }
    >
      <Button size="md" fullWidth loading={confirm.isPending} disabled={!link} onClick={() => confirm.mutate()}>
        This address is mine
      </Button>
      <Refusal error={confirm.error} />
    </Welcome>
  )
}
