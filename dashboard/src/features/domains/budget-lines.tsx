import { Text } from '@mantine/core'
import type { DomainDetails } from '../../api/domains.ts'

const NAMES: Record<string, string> = {
  orders: 'orders of this installation in 3 hours',
  certificatesPerRegisteredDomain: 'certificates for this domain and its subdomains in a week',
  certificatesPerExactSet: 'certificates for exactly this name in a week',
  failedValidationsPerHostname: 'failed validations of this name in an hour',
}

export interface BudgetLine {
  limit: string
  left: number
  of: number
}

/** How much the authority still allows; the internal one has no limits. */
export function BudgetLines({ domain }: { domain: DomainDetails & { budget?: BudgetLine[] | null } }) {
  const budget = domain.budget
  if (!budget || budget.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        Issuance budget
      </Text>
      <ul className="budget">
        {budget.map(({ limit, left, of }) => (
          <li key={limit}>
            <span className="number">
              {left} of {of}
            </span>{' '}
            {NAMES[limit] ?? limit}
          </li>
        ))}
      </ul>
    </div>
  )
}
