import type { Plan } from '../../api/operator.ts'
import { Tag } from '../../parts/tag.tsx'

export const PLAN_NAMES: Record<Plan, string> = { free: 'Free', pro: 'Pro', enterprise: 'Enterprise' }

export function PlanTag({ plan }: { plan: Plan }) {
  return <Tag tone={plan === 'free' ? 'plain' : 'green'}>{PLAN_NAMES[plan]}</Tag>
}
