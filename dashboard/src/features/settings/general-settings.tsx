import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useInstallation } from '../../api/installation.ts'
import { changeProject, type Project, projectsQuery } from '../../api/projects.ts'
import { Form } from '../../parts/form.tsx'
import { Section } from '../../parts/section.tsx'
import { Refusal } from '../../parts/trouble.tsx'
import { sayWithUndo } from '../../parts/undo.tsx'
import { useLeadOn } from '../../parts/use-parameter.ts'
import { queryClient } from '../../query-client.ts'
import { isOwner, useProject } from '../projects/project-context.ts'

export default function GeneralSettings() {
  const project = useProject()
  return (
    <Stack gap="lg">
      <NameSection project={project} />
      <AddressSection project={project} />
      <SecondFactorSection project={project} />
    </Stack>
  )
}

function NameSection({ project }: { project: Project }) {
  const [typed, setTyped] = useState<string>()
  const name = typed ?? project.name
  const settled = (is: string) => setTyped((now) => (now?.trim() === is ? undefined : now))
  const change = useChange(project, 'name', name.trim(), { message: 'The name has been changed.', settled })
  return (
    <Section title="Name">
      <Form
        maw="26rem"
        send={change.send}
        error={change.error}
        actions={
          isOwner(project) && (
            <Group>
              <Button
                type="submit"
                loading={change.isPending}
                disabled={name.trim() === '' || name.trim() === project.name}
              >
                Save
              </Button>
            </Group>
          )
        }
      >
        <TextInput
          label="Name of the project"
          required
          maxLength={100}
          disabled={!isOwner(project)}
          value={name}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Form>
    </Section>
  )
}

function AddressSection({ project }: { project: Project }) {
  const { platformHost } = useInstallation()
  const [typed, setTyped] = useState<string>()
  const slug = typed ?? project.slug
  const settled = (is: string) => setTyped((now) => (now?.trim() === is ? undefined : now))
  const change = useChange(project, 'slug', slug, { message: 'The address has been changed.', settled })
  return (
    <Section
      title="Address"
      description={
        'Where the project is published by default. When you change it, the old address stops working at once and is ' +
        'kept free for 90 days.'
      }
    >
      <Form
        maw="26rem"
        send={change.send}
        error={change.error}
        actions={
          isOwner(project) && (
            <Group>
              <Button
                type="submit"
                variant="default"
                loading={change.isPending}
                disabled={slug === '' || slug === project.slug}
              >
                Change address
              </Button>
            </Group>
          )
        }
      >
        <TextInput
          label="Slug"
          required
          maxLength={63}
          disabled={!isOwner(project)}
          description={`${slug || '…'}.${platformHost}`}
          value={slug}
          onChange={(event) => setTyped(event.currentTarget.value.toLowerCase())}
        />
      </Form>
    </Section>
  )
}

function SecondFactorSection({ project }: { project: Project }) {
  const { requireSecondFactor: isRequired } = project
  const change = useChange(project, 'requireSecondFactor', !isRequired, {
    message: isRequired ? 'A password is enough again.' : 'Members now need a passkey or one-time codes.',
  })
  return (
    <Section
      title="Second factor"
      description={
        isRequired
          ? 'Members get in with a passkey or one-time codes only.'
          : 'Ask every member for a passkey or one-time codes. Whoever has none is told how to add one.'
      }
      actions={
        isOwner(project) && (
          <Button
            size="xs"
            variant="default"
            loading={change.isPending}
            onClick={() => void change.send().catch(() => {})}
          >
            {isRequired ? 'Ask no more' : 'Require it'}
          </Button>
        )
      }
    >
      {change.error ? <Refusal error={change.error} /> : undefined}
    </Section>
  )
}

type Field = 'name' | 'slug' | 'requireSecondFactor'

interface Said<F extends Field> {
  message: string
  /** It is so now: the field shows what is so, unless somebody has typed more since. */
  settled?(is: Project[F]): void
}

function useChange<F extends Field>(project: Project, field: F, value: Project[F], { message, settled }: Said<F>) {
  const leadOn = useLeadOn()
  const show = (before: Project, changed: Project) => {
    queryClient.setQueryData(projectsQuery.queryKey, (known) =>
      known?.map((each) => (each.slug === before.slug ? changed : each)),
    )
    if (changed.slug === before.slug) return
    leadOn(`/projects/${changed.slug}/settings`, { replace: true, gone: `/projects/${before.slug}` })
  }
  const change = useMutation({
    mutationFn: ({ before, value }: Pressed<F>) => changeProject(before.slug, { [field]: value }),
    onSuccess: (changed, { before, message }) => {
      show(before, changed)
      settled?.(changed[field])
      // This field alone: the others may have been changed since.
      sayWithUndo(message, async () => {
        show(changed, await changeProject(changed.slug, { [field]: before[field] }))
      })
    },
  })
  return {
    error: change.error,
    isPending: change.isPending,
    send: () => change.mutateAsync({ before: project, value, message }),
  }
}

/** As it was when somebody pressed: the news of the change may be here before its answer, and says the opposite. */
interface Pressed<F extends Field> {
  before: Project
  value: Project[F]
  message: string
}
