import { createInternalCa, createRoot } from '../../src/features/certificates/authority/internal-ca.ts'
import {
  type IssuanceProblem,
  type Issuer,
  plannedOrder,
  type RenewalAdvice,
} from '../../src/features/certificates/issuer.ts'
import type { Clock } from '../../src/platform/clock.ts'

export interface ScriptedIssuer extends Issuer {
  /** When each attempt was made. */
  readonly attempts: number[]
  readonly revoked: string[]
  /** What every attempt meets; null issues. */
  problem: IssuanceProblem | undefined
  /** Whether a problem ends the order or only delays it. */
  ends: 'failed' | 'stalled'
  advice: RenewalAdvice
}

export const problemOf = (code: IssuanceProblem['code'], retryAfterMs: number | null = null): IssuanceProblem => ({
  code,
  message: `The authority says ${code}.`,
  detail: null,
  hostname: null,
  retryAfterMs,
})

/** An authority that does what the test says, and else signs like the internal CA. */
export async function createScriptedIssuer(clock: Clock, lifeMs?: number): Promise<ScriptedIssuer> {
  const id = 'https://acme.example.test/dir'
  const life = lifeMs === undefined ? {} : { leafValidityMs: lifeMs }
  const ca = createInternalCa({ clock }, { root: await createRoot({ clock }), ...life })
  const issuer: ScriptedIssuer = {
    id,
    attempts: [],
    revoked: [],
    problem: undefined,
    ends: 'failed',
    advice: { window: undefined, checkAgainMs: 12 * 3_600_000 },
    begin: (request) => plannedOrder(id, request, request.replacesPem ? 'predecessor' : undefined),
    async advance(order, signal) {
      issuer.attempts.push(clock.now())
      if (issuer.problem) return { result: issuer.ends, order, problem: issuer.problem }
      return ca.advance(order, signal)
    },
    async revoke(pem) {
      issuer.revoked.push(pem)
      return { revoked: true }
    },
    renewalAdvice: async () => issuer.advice,
  }
  return issuer
}
