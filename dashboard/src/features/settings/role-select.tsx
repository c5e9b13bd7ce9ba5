import { NativeSelect } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { keysQuery } from '../../api/keys.ts'
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

/** Changes at once what costs nobody anything; asks first when it ends keys. */
export function RoleSelect({ member, members }: { member: Member; members: readonly Member[] }) {
  const { slug } = useProject()
  const account = useAccount()
  const [asking, { open, close }] = useDisclosure(false)
  const { data: keys = [] } = useQuery(keysQuery(slug))
  const made = keys.filter(({ madeBy, state }) => madeBy?.id === member.id && state === 'active')
  const settle = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ['projects', slug] }),
      member.id === account.id && queryClient.invalidateQueries(projectsQuery),
    ])
  const change = useMutation({
    mutationFn: (role: Role) => changeRole(slug, member.id, role, null),
    onSuccess: (_, role) =>
      sayWithUndo(`${member.name} is ${role} now.`, () => changeRole(slug, member.id, member.role, null).then(settle)),
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
        onChange={({ currentTarget: { value } }) =>
          value === 'viewer' && made.length > 0 ? open() : change.mutate(value as Role)
        }
      />
      <Confirm
        opened={asking}
        close={close}
        title={`Make ${member.name} a viewer?`}
        action="Make viewer"
        initial={{ keysTo: null as string | null }}
        send={({ keysTo }) => changeRole(slug, member.id, 'viewer', keysTo)}
        sent={async () => {
          close()
          await settle()
          notifications.show({ message: `${member.name} is viewer now.` })
        }}
      >
        {({ keysTo }, set) => (
          <>
            <p>Viewers change nothing, neither here nor with a key that they have copied.</p>
            <KeysFate
              member={member}
              members={members}
              made={made}
              noun="keys"
              keysTo={keysTo}
              choose={(chosen) => set({ keysTo: chosen })}
            />
          </>
        )}
      </Confirm>
    </>
  )
}
