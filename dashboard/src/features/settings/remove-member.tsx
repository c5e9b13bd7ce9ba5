import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { leaveProject, type Member, removeMember } from '../../api/members.ts'
import { useAccount } from '../../api/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { useLeadOn } from '../../parts/use-parameter.ts'
import { queryClient } from '../../query-client.ts'
import { isOwner, useProject } from '../projects/project-context.ts'
import { KeysFate } from './keys-fate.tsx'
import { useMade } from './use-made.ts'

/** Removes a member, or lets one leave, and asks what becomes of the keys and tokens that they have made. */
export function RemoveMember({ member, members }: { member: Member; members: readonly Member[] }) {
  const project = useProject()
  const account = useAccount()
  const isMe = member.id === account.id
  const leadOn = useLeadOn()
  const [asking, { open, close }] = useDisclosure(false)
  const made = useMade(member)
  const verb = isMe ? 'Leave' : 'Remove'
  if (!isOwner(project) && !isMe) return null
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        onClick={open}
        aria-label={`${verb} ${isMe ? project.name : member.name}`}
      >
        {verb}
      </Button>
      <Confirm
        opened={asking}
        close={close}
        title={`${verb} ${isMe ? project.name : member.name}?`}
        action={verb}
        initial={{ keysTo: null as string | null }}
        isComplete={() => made.items !== undefined}
        send={({ keysTo }) =>
          isMe ? leaveProject(project.slug, keysTo) : removeMember(project.slug, member.id, keysTo)
        }
        sent={() => {
          if (isMe) leadOn('/projects', { gone: `/projects/${project.slug}` })
          const message = isMe ? `You have left ${project.name}.` : `${member.name} has been removed.`
          const refreshed = queryClient.invalidateQueries({
            queryKey: isMe ? ['projects'] : ['projects', project.slug],
          })
          void refreshed.then(() => notifications.show({ message }))
        }}
      >
        {({ keysTo }, set) => (
          <>
            <p>
              {isMe
                ? 'You lose sight of this project at once. An owner can invite you again.'
                : `${member.name} loses sight of this project at once. The account stays, and you can invite it again.`}
            </p>
            <KeysFate
              member={member}
              members={members}
              made={made}
              keysTo={keysTo}
              choose={(chosen) => set({ keysTo: chosen })}
            />
          </>
        )}
      </Confirm>
    </>
  )
}
