import { Alert, Button, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconCheck, IconMinus } from '../../icons/icons.ts'
import { changePlan, type Plan } from '../../api/operator.ts'
import { projectsQuery } from '../../api/projects.ts'
import { useAccount } from '../../api/session.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { Refusal } from '../../parts/trouble.tsx'
import { sayWithUndo } from '../../parts/undo.tsx'
import { queryClient } from '../../query-client.ts'
import { PLAN_NAMES } from '../projects/plan-tag.tsx'
import { useProject } from '../projects/project-context.ts'
import { SharesSection } from './shares-section.tsx'

const PLANS: { plan: Plan; about: string; has: readonly string[]; lacks: readonly string[] }[] = [
  {
    plan: 'free',
    about: 'Everything to build with.',
    has: [
      'Production and staging',
      '1 GB of deployed files',
      'API keys, members, audit log',
      'A site at your platform address',
    ],
    lacks: ['Custom domains'],
  },
  {
    plan: 'pro',
    about: 'For a shop with a name of its own.',
    has: [
      'Everything in Free',
      '10 GB of deployed files',
      'Custom domains with redirects',
      'Certificates, issued and renewed for you',
    ],
    lacks: [],
  },
  {
    plan: 'enterprise',
    about: 'As Pro, by agreement with the operator.',
    has: ['Everything in Pro', '100 GB of deployed files', 'Terms of your own'],
    lacks: [],
  },
]

export default function PlanSettings() {
  return (
    <Stack gap="lg">
      <PlanSection />
      <SharesSection />
    </Stack>
  )
}

function PlanSection() {
  const project = useProject()
  const { operator } = useAccount()
  const refresh = () => queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
  const change = useMutation({
    mutationFn: (plan: Plan) => changePlan(project.slug, plan),
    // As it was when it was chosen: the news may be here before the answer.
    onMutate: () => project.plan,
    onSuccess: async ({ plan }, _, before) => {
      await refresh()
      sayWithUndo(`This project is on ${PLAN_NAMES[plan]} now.`, () => changePlan(project.slug, before).then(refresh))
    },
  })
  return (
    <Section title="Plan" description={`This project is on ${PLAN_NAMES[project.plan]}.`}>
      <Refusal error={change.error} />
      <SimpleGrid cols={{ base: 1, sm: 3 }} mt={change.error ? 'md' : 0}>
        {PLANS.map(({ plan, about, has, lacks }) => (
          <div key={plan} className={`plan${plan === project.plan ? ' is-current' : ''}`}>
            <div className="plan-head">
              <h3>{PLAN_NAMES[plan]}</h3>
              {plan === project.plan && <Tag tone="green">current</Tag>}
            </div>
            <Text size="sm" c="dimmed">
              {about}
            </Text>
            <ul className="plan-points">
              {has.map((point) => (
                <li key={point}>
                  <IconCheck size={16} aria-hidden="true" /> {point}
                </li>
              ))}
              {lacks.map((point) => (
                <li key={point} className="is-lacking">
                  <IconMinus size={16} aria-hidden="true" /> No {point.toLowerCase()}
                </li>
              ))}
            </ul>
            {operator && plan !== project.plan && (
              <Button
                variant={plan === 'free' ? 'default' : 'filled'}
                mt="auto"
                loading={change.isPending && change.variables === plan}
                onClick={() => change.mutate(plan)}
              >
                Change to {PLAN_NAMES[plan]}
              </Button>
            )}
          </div>
        ))}
      </SimpleGrid>
      {!operator && (
        <Alert className="notice" mt="md" title="Who can change the plan">
          <Text size="sm" mb="xs">
            Whoever runs this service. They do it on their operator page, or with:
          </Text>
          <CodeBlock what="the command" code={`npx petstore projects plan ${project.slug} pro`} />
        </Alert>
      )}
    </Section>
  )
}
