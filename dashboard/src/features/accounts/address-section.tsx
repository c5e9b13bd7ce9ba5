import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { askForConfirmation, sessionQuery, useAccount } from '../../api/session.ts'
import { Section } from '../../parts/section.tsx'
import { Refusal } from '../../parts/trouble.tsx'
import { AddressForm } from './address-form.tsx'

/** The address that one signs in with. */
export function AddressSection() {
  const account = useAccount()
  const mail = useQuery(sessionQuery).data?.mail
  return (
    <Section title="E-mail address" description={`You sign in with ${account.email}.`}>
      {mail && !account.confirmed && <Unconfirmed />}
      <AddressForm />
    </Section>
  )
}

function Unconfirmed() {
  const ask = useMutation({ mutationFn: askForConfirmation })
  if (ask.isSuccess) {
    return (
      <Text size="sm" mb="md" role="status">
        A link is on its way to {ask.data.sentTo}. Open it within a day.
      </Text>
    )
  }
  return (
    <Group mb="md">
      <Text size="sm">It has not been confirmed yet.</Text>
      <Button size="compact-sm" variant="default" loading={ask.isPending} onClick={() => ask.mutate()}>
        Mail me a link
      </Button>
      <Refusal error={ask.error} />
    </Group>
  )
}
