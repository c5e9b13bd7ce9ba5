import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { type AnyProject, resumeProject, suspendProject } from '../../api/operator.ts'
import { messageOf } from '../../api/platform.ts'
import { lateDialog } from '../../parts/late-dialog.tsx'
import { sayWithUndo } from '../../parts/undo.tsx'
import { queryClient } from '../../query-client.ts'

const SuspendDialog = lateDialog(() => import('./suspend-dialog.tsx'))

const refresh = () =>
  Promise.all([['operator'], ['projects']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))

/** Stops a project with a reason that its members read, or lets it go on. */
export function SuspendProject({ project }: { project: AnyProject }) {
  const { slug, name, suspension } = project
  const [asking, { open, close }] = useDisclosure(false)
  const opener = useRef<HTMLButtonElement>(null)
  const resume = useMutation({
    mutationFn: () => resumeProject(slug),
    // As it was when it was pressed: the news may be here before the answer.
    onMutate: () => suspension?.reason ?? '',
    onSuccess: (_, __, reason) =>
      sayWithUndo(`${name} goes on as it was.`, () => suspendProject(slug, reason).then(refresh)),
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
      <SuspendDialog project={project} opened={asking} close={close} opener={opener} suspended={refresh} />
    </>
  )
}
