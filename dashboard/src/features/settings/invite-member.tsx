import { Radio, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { invitationsQuery, invite, type Role } from '../../api/members.ts'
import { sessionQuery } from '../../api/session.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { queryClient } from '../../query-client.ts'
import { oneTimeLink } from '../accounts/one-time-link.tsx'
import { useProject } from '../projects/project-context.ts'

const ABOUT: Record<Role, string> = {
  editor: 'Changes animals, keys, deploys and domains',
  viewer: 'Sees everything and changes nothing',
  owner: 'Also decides about members, and can delete the project',
}

export default function InviteMember({ opened, close }: { opened: boolean; close(): void }) {
  const { slug, name } = useProject()
  const mail = useQuery(sessionQuery).data?.mail
  return (
    <FormDialog
      opened={opened}
      close={close}
      title={`Invite somebody to ${name}`}
      action={mail ? 'Invite' : 'Make a link'}
      initial={{ role: 'editor' as Role, email: '' }}
      send={({ role, email }) => invite(slug, { role, ...(email.trim() === '' ? {} : { email: email.trim() }) })}
      secret={(invitation) => oneTimeLink(`Invitation to ${name}`, invitation)}
      sent={() => queryClient.invalidateQueries({ queryKey: invitationsQuery(slug).queryKey })}
    >
      {({ role, email }, set) => (
        <>
          <TextInput
            label="E-mail address"
            description={
              mail
                ? 'Optional: the link is mailed there, and you can copy it.'
                : 'Optional: fills in their form. You send the link yourself.'
            }
            type="email"
            data-autofocus
            value={email}
            onChange={(event) => set({ email: event.currentTarget.value })}
          />
          <Radio.Group label="Role" value={role} onChange={(chosen) => set({ role: chosen as Role })}>
            <Stack gap="xs" mt={6}>
              {(['editor', 'viewer', 'owner'] as const).map((value) => (
                <Radio key={value} value={value} label={value} description={ABOUT[value]} />
              ))}
            </Stack>
          </Radio.Group>
        </>
      )}
    </FormDialog>
  )
}
