import type { Clock } from '../../../platform/clock.ts'
import type { AuditedStorage, Storage } from '../../../platform/storage/storage.ts'
import type { BudgetRequest } from '../budget/budget.ts'
import type { Authority } from '../choice/authority.ts'
import type { IssuanceProblem } from '../issuer.ts'
import type { Preflight, PreflightSubject } from '../preflight.ts'
import type { Vault } from '../vault.ts'

export interface OrderNeeds {
  storage: Storage
  /** Writes in the service's own name, with audit entries. */
  audited: AuditedStorage
  clock: Clock
  /** Numbers from 0 up to 1, for spreading. */
  random: () => number
  vault: Vault
  /** Those that issue, in the operator's order: the first comes first. */
  authorities: readonly Authority[]
  preflight: (name: PreflightSubject) => Promise<Preflight>
  /** Whose share of new orders a name is taken from. */
  holderOf: (name: PreflightSubject) => Promise<BudgetRequest['holder']>
  /** Names of the platform itself that these certify. */
  isPlatformName: (hostname: string) => Promise<boolean>
  /** Told of what came to nothing where no project's people would hear of it, or could do anything about it. */
  onOperatorProblem: (hostname: string, problem: IssuanceProblem) => void
}
