import { Alert, Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { askForConfirmation, SESSION_KEY, signOut, useAccount } from '../../api/session.ts'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'
import { AddressForm } from './address-form.tsx'
import { Welcome } from './welcome.tsx'

/** All that somebody sees who has signed up without an invitation, until the address is confirmed. */
export default function ConfirmFirstPage() {
  const { email } = useAccount()
  const [isOther, setOther] = useState(false)
  const look = () => queryClient.invalidateQueries({ queryKey: SESSION_KEY })
  const again = useMutation({ mutationFn: askForConfirmation })
  const leave = useMutation({ mutationFn: signOut, onSuccess: look })
  return (
    <Welcome
      title="Confirm your address"
      description={
        `A link is on its way to ${email}. Open it within a day, and your account is ready. Until then you can ` +
        'only ask for it again, change your address, or sign out.'
      }
    >
      <Stack gap="md">
        {again.isSuccess && <Alert className="notice">Another link is on its way to {again.data.sentTo}.</Alert>}
        <Refusal error={again.error ?? leave.error} />
        <Button size="md" fullWidth onClick={() => void look()}>
          I have opened the link
        </Button>
        <Button variant="default" fullWidth loading={again.isPending} onClick={() => again.mutate()}>
          Send it again
        </Button>
        {isOther ? (
          <AddressForm />
        ) : (
          <Button variant="default" fullWidth onClick={() => setOther(true)}>
            Change the address
          </Button>
        )}
        <Button variant="subtle" fullWidth loading={leave.isPending} onClick={() => leave.mutate()}>
          Sign out
        </Button>
      </Stack>
    </Welcome>
  )
}
