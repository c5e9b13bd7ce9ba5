import { NativeSelect } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { changeRole, type Member, type Role } from '../../api/members.ts'
import { messageOf } from '../../api/platform.ts'
import { projectsQuery } from '../../api/projects.ts'
import { useAccount } from '../../api/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { sayWithUndo } from '../../parts/undo.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'
import { KeysFate } from './keys-fate.tsx'
import { ROLE_CHOICES } from './role-choices.ts'
import { useMade } from './use-made.ts'

/** Changes at once what can be taken back; asks first when it ends keys or tokens, or the right to change roles. */
export function RoleSelect({ member, members }: { member: Member; members: readonly Member[] }) {
  const { slug } = useProject()
  const account = useAccount()
  const isMe = member.id === account.id
  const [asking, { open, close }] = useDisclosure(false)
  const [asked, setAsked] = useState<Role>('viewer')
  const made = useMade(member)
  const settle = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ['projects', slug] }),
      isMe && queryClient.invalidateQueries(projectsQuery),
    ])
  const change = useMutation({
    mutationFn: (role: Role) => changeRole(slug, member.id, role, null),
    // As it was when it was chosen: the news may be here before the answer.
    onMutate: () => member.role,
    onSuccess: (_, role, before) =>
      sayWithUndo(`${member.name} is ${role} now.`, () => changeRole(slug, member.id, before, null).then(settle)),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'The role was not changed', message: messageOf(error) }),
    onSettled: settle,
  })
  return (
    <>
      <NativeSelect
        aria-label={`Role of ${member.name}`}
        size="xs"
        w={110}
        data={ROLE_CHOICES}
        value={change.isPending ? change.variables : member.role}
        disabled={change.isPending}
        onChange={({ currentTarget: { value } }) => {
          const role = value as Role
          if (!isMe && !(role === 'viewer' && made.items?.length !== 0)) return change.mutate(role)
          setAsked(role)
          open()
        }}
      />
      <Confirm
        opened={asking}
        close={close}
        title={`Make ${isMe ? 'yourself' : member.name} ${asked === 'viewer' ? 'a viewer' : 'an editor'}?`}
        action={`Make ${asked}`}
        initial={{ keysTo: null as string | null }}
        isComplete={() => asked !== 'viewer' || made.items !== undefined}
        send={({ keysTo }) => changeRole(slug, member.id, asked, keysTo)}
        sent={() => {
          void settle().then(() => notifications.show({ message: `${member.name} is ${asked} now.` }))
        }}
      >
        {({ keysTo }, set) => (
          <>
            {asked === 'viewer' && (
              <>
                <p>Viewers change nothing, neither here nor with a key or token that they have copied.</p>
                <KeysFate
                  member={member}
                  members={members}
                  made={made}
                  keysTo={keysTo}
                  choose={(chosen) => set({ keysTo: chosen })}
                />
              </>
            )}
            {isMe && <p>You cannot take this back: another owner has to make you one again.</p>}
          </>
        )}
      </Confirm>
    </>
  )
}
