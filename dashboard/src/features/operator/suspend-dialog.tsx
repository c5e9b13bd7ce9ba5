import { Textarea } from '@mantine/core'
import { type AnyProject, suspendProject } from '../../api/operator.ts'
import { Confirm } from '../../parts/confirm.tsx'
import type { Opener } from '../../parts/give-back-focus.ts'

interface SuspendDialogProps {
  project: AnyProject
  opened: boolean
  close(): void
  opener: Opener
  /** It is suspended now. */
  suspended(): Promise<unknown>
}

export default function SuspendDialog({ project, opened, close, opener, suspended }: SuspendDialogProps) {
  const { slug, name } = project
  return (
    <Confirm
      opened={opened}
      close={close}
      opener={opener}
      title={`Suspend ${name}?`}
      action="Suspend"
      initial={{ reason: '' }}
      isComplete={({ reason }) => reason.trim() !== ''}
      send={({ reason }) => suspendProject(slug, reason.trim())}
      sent={() => void suspended()}
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
  )
}
