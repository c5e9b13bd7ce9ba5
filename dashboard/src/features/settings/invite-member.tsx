import { Button, Group, Modal, Radio, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { invitationsQuery, invite, type Role } from '../../api/members.ts'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'
import { OneTimeLink } from '../accounts/one-time-link.tsx'
import { useProject } from '../projects/project-context.ts'

const ABOUT: Record<Role, string> = {
  editor: 'Changes animals, keys, deploys and domains',
  viewer: 'Sees everything and changes nothing',
  owner: 'Also decides about members, and can delete the project',
}

export function InviteMember({ opened, close }: { opened: boolean; close(): void }) {
  const { slug, name } = useProject()
  const [role, setRole] = useState<Role>('editor')
  const [email, setEmail] = useState('')
  const create = useMutation({
    mutationFn: () => invite(slug, { role, ...(email.trim() === '' ? {} : { email: email.trim() }) }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: invitationsQuery(slug).queryKey }),
  })
  const end = () => {
    close()
    create.reset()
    setEmail('')
  }
  return (
    <Modal opened={opened} onClose={end} title={`Invite somebody to ${name}`}>
      {create.data ? (
        <OneTimeLink link={create.data.link} expiresAt={create.data.expiresAt} close={end} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            create.mutate()
          }}
        >
          <Stack gap="md">
            <TextInput
              label="E-mail address"
              description="Optional: fills in their form. You send the link yourself."
              type="email"
              data-autofocus
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <Radio.Group label="Role" value={role} onChange={(chosen) => setRole(chosen as Role)}>
              <Stack gap="xs" mt={6}>
                {(['editor', 'viewer', 'owner'] as const).map((value) => (
                  <Radio key={value} value={value} label={value} description={ABOUT[value]} />
                ))}
              </Stack>
            </Radio.Group>
            <Refusal error={create.error} />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={end}>
                Cancel
              </Button>
              <Button type="submit" loading={create.isPending}>
                Make a link
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  )
}
