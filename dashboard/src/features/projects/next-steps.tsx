import { Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { IconArrowRight, IconCircleCheckFilled, IconCircleDashed } from '../../icons/icons.ts'
import { deploysQuery } from '../../api/deploys.ts'
import type { Overview } from '../../api/projects.ts'
import { useEnvironment } from '../../frame/environment.ts'
import { Section } from '../../parts/section.tsx'
import { mayEdit, useProject } from './project-context.ts'

interface Step {
  title: string
  about: string
  href: string
  done: boolean
}

/** What is left to do for a new project; gone when all of it is done. */
export function NextSteps({ overview }: { overview: Overview | undefined }) {
  const project = useProject()
  const environment = useEnvironment()
  const { data: deploys } = useQuery(deploysQuery(project.slug))
  if (!overview || !deploys || !mayEdit(project)) return null
  const base = `/projects/${project.slug}`
  const animals = Object.values(overview.animals.production).concat(Object.values(overview.animals.staging))
  const steps: Step[] = [
    {
      title: 'Add an animal',
      about: 'By hand, or through the API.',
      href: `${base}/${environment}/animals`,
      done: animals.some(({ count }) => count > 0),
    },
    {
      title: 'Call the API',
      about: 'Create a key, paste a snippet.',
      href: `${base}/${environment}/keys`,
      done: overview.lastDay.production.calls + overview.lastDay.staging.calls > 0,
    },
    {
      title: 'Deploy your site',
      about: 'Drop a folder or an archive.',
      href: `${base}/deploys`,
      done: deploys.some(({ source, active }) => active && source !== 'starter'),
    },
    {
      title: 'Attach your domain',
      about: 'Two minutes, with DNS explained.',
      href: `${base}/settings/domains`,
      done: overview.domains > 0,
    },
    {
      title: 'Invite a colleague',
      about: 'As owner, editor or viewer.',
      href: `${base}/settings/members`,
      done: overview.members > 1,
    },
  ]
  const doneCount = steps.filter(({ done }) => done).length
  if (doneCount === steps.length) return null

  return (
    <Section
      title="Next steps"
      actions={
        <div className="steps-progress">
          <Text size="sm" c="dimmed" className="number">
            {doneCount} of {steps.length}
          </Text>
          <Progress value={(100 * doneCount) / steps.length} w={90} size="sm" aria-label="Steps done" />
        </div>
      }
    >
      <ol className="steps">
        {steps.map((step) => (
          <li key={step.title}>
            <Link href={step.href} className={`step${step.done ? ' is-done' : ''}`}>
              {step.done ? (
                <IconCircleCheckFilled size={20} className="step-mark" aria-label="done" />
              ) : (
                <IconCircleDashed size={20} className="step-mark" aria-label="to do" />
              )}
              <span className="step-text">
                <span className="step-title">{step.title}</span>
                <span className="step-about">{step.about}</span>
              </span>
              <IconArrowRight size={16} className="step-arrow" aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ol>
    </Section>
  )
}
