import { Button, Textarea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { type AnyProject, resumeProject, suspendProject } from '../../api/operator.ts'
import { messageOf } from '../../api/platform.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { queryClient } from '../../query-client.ts'

const refresh = () =>
  Promise.all([['operator'], ['projects']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))

/** Stops a project with a reason that its members read, or lets it go on. */
export function SuspendProject({ project: { slug, name, suspension } }: { project: AnyProject }) {
  const [asking, { open, close }] = useDisclosure(false)
  const opener = useRef<HTMLButtonElement>(null)
  const resume = useMutation({
    mutationFn: () => resumeProject(slug),
    onSuccess: () => notifications.show({ message: `${name} goes on as it was.` }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'The project is still suspended', message: messageOf(error) }),
    onSettled: refresh,
  })
  if (suspension) {
    return (
      <Button
        size="xs"
        variant="default"
        loading={resume.isPending}
        onClick={() => resume.mutate()}
        aria-label={`Let ${name} go on`}
      >
        Let go on
      </Button>
    )
  }
  return (
    <>
      <Button ref={opener} size="xs" variant="subtle" color="red" onClick={open} aria-label={`Suspend ${name}…`}>
        Suspend…
      </Button>
      <Confirm
        opened={asking}
        close={close}
        opener={opener}
        title={`Suspend ${name}?`}
        action="Suspend"
        initial={{ reason: '' }}
        isComplete={({ reason }) => reason.trim() !== ''}
        send={({ reason }) => suspendProject(slug, reason.trim())}
        sent={async () => {
          close()
          await refresh()
        }}
      >
        {({ reason }, set) => (
          <>
            <p>
              Its site and previews answer with a page that says so, its keys with 403, and its members can read and
              change nothing. Nothing is taken away, and it can be let go on at any time.
            </p>
            <Textarea
              label="Reason"
              description="Members of the project and callers with its keys read it; visitors of the site do not."
              required
              data-autofocus
              autosize
              minRows={2}
              maxLength={500}
              value={reason}
              onChange={(event) => set({ reason: event.currentTarget.value.replaceAll('\n', ' ') })}
            />
          </>
        )}
      </Confirm>
    </>
  )
}
