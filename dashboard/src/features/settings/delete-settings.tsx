import { Button, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { deleteProject } from '../../api/projects.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Section } from '../../parts/section.tsx'
import { useLeadOn } from '../../parts/use-parameter.ts'
import { queryClient } from '../../query-client.ts'
import { isOwner, useProject } from '../projects/project-context.ts'

export default function DeleteSettings() {
  const project = useProject()
  const leadOn = useLeadOn()
  const [asking, { open, close }] = useDisclosure(false)
  return (
    <Section
      dangerous
      title="Delete this project"
      description={
        'Its animals, orders, keys, deploys, domains and members go with it. Its site and its API stop at once.'
      }
    >
      {isOwner(project) ? (
        <Button color="red" className="long-button" onClick={open}>
          Delete {project.name}…
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          Only an owner can delete it{project.suspension && ', and not while it is suspended'}.
        </Text>
      )}
      <Confirm
        opened={asking}
        close={close}
        title={`Delete ${project.name}?`}
        action="Delete for ever"
        initial={{ typed: '' }}
        isComplete={({ typed }) => typed.trim() === project.slug}
        send={({ typed }) => deleteProject(project.slug, typed)}
        sent={async () => {
          leadOn('/projects', { replace: true, gone: `/projects/${project.slug}` })
          await queryClient.invalidateQueries({ queryKey: ['projects'] })
          notifications.show({ message: `${project.name} has been deleted.` })
        }}
      >
        {({ typed }, set) => (
          <>
            <p>
              This cannot be taken back. Requests with its keys are refused and its addresses show nothing, from this
              moment on. If its address was shared, set up a redirect first.
            </p>
            <TextInput
              label={
                <>
                  Type <span className="mono">{project.slug}</span> to confirm
                </>
              }
              autoComplete="off"
              data-autofocus
              value={typed}
              onChange={(event) => set({ typed: event.currentTarget.value })}
            />
          </>
        )}
      </Confirm>
    </Section>
  )
}
