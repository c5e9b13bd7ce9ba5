import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type AuthorityBudget, budgetQuery, type DomainDetails, type IssuanceLimit } from '../../api/domains.ts'
import { countText } from '../../parts/count-text.ts'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { WaitingLines } from '../../parts/waiting.tsx'
import { useProject } from '../projects/project-context.ts'

const NAMES: Record<IssuanceLimit, string> = {
  orders: 'orders of this installation',
  certificatesPerRegisteredDomain: 'certificates for this domain and its subdomains',
  ordersPerProject: 'new certificates of this project',
  platformNamesPerAccount: 'new names of the platform',
  certificatesPerExactSet: 'certificates for exactly this name',
  failedValidationsPerHostname: 'failed validations of this name',
}

const HOUR_MS = 3_600_000

/** How much each authority still allows; the internal one sets no limits. */
export function BudgetLines({ domain }: { domain: DomainDetails }) {
  const { slug } = useProject()
  return (
    <QueryGuard query={useQuery(budgetQuery(slug, domain.hostname))} waiting={<WaitingLines lines={1} />}>
      {(budget) => (
        <div>
          <Text size="sm" fw={600} mb={4}>
            Issuance budget
          </Text>
          <AuthorityLines budget={budget} isNamed={budget.fallback !== null} />
          {budget.fallback && <AuthorityLines budget={budget.fallback} isNamed />}
        </div>
      )}
    </QueryGuard>
  )
}

function AuthorityLines({ budget, isNamed }: { budget: AuthorityBudget; isNamed: boolean }) {
  return (
    <>
      {isNamed && <Text size="sm">{budget.authority}</Text>}
      {budget.limits.length === 0 ? (
        <Text size="sm" c="dimmed">
          {budget.authority === null
            ? "No limits: certificates come from this installation's own authority."
            : 'No limits that are known.'}
        </Text>
      ) : (
        <ul className="budget">
          {budget.limits.map(({ limit, left, burst, windowMs }) => (
            <li key={limit}>
              <span className="number">
                {left} of {burst}
              </span>{' '}
              {NAMES[limit]} left, in {windowText(windowMs)}
            </li>
          ))}
        </ul>
      )}
      {budget.openAt && (
        <Text size="sm">
          The next order is possible <TimeAgo at={budget.openAt} />.
        </Text>
      )}
    </>
  )
}

function windowText(windowMs: number): string {
  const hours = windowMs / HOUR_MS
  if (hours < 24) return countText(hours, 'hour')
  return hours === 168 ? 'a week' : countText(hours / 24, 'day')
}
