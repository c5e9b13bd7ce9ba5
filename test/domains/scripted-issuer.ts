import { createInternalCa, createRoot } from '../../src/features/certificates/authority/internal-ca.ts'
import {
  type IssuanceProblem,
  type Issuer,
  plannedOrder,
  type RenewalAdvice,
} from '../../src/features/certificates/issuer.ts'
import { type Clock, MINUTE_MS } from '../../src/platform/clock.ts'

export interface ScriptedIssuer extends Issuer {
  /** When each order was begun. */
  readonly begun: number[]
  /** When each attempt was made. */
  readonly attempts: number[]
  readonly revoked: string[]
  /** What every attempt meets; null issues. */
  problem: IssuanceProblem | undefined
  /** Whether a problem ends the order or only delays it. */
  ends: 'failed' | 'stalled'
  /** Orders wait for it, without an end. */
  isStuck: boolean
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
export async function createScriptedIssuer(
  clock: Clock,
  lifeMs?: number,
  id = 'https://acme.example.test/dir',
): Promise<ScriptedIssuer> {
  const life = lifeMs === undefined ? {} : { leafValidityMs: lifeMs }
  const ca = createInternalCa({ clock }, { root: await createRoot({ clock }), ...life })
  const issuer: ScriptedIssuer = {
    id,
    begun: [],
    attempts: [],
    revoked: [],
    problem: undefined,
    ends: 'failed',
    isStuck: false,
    advice: { window: undefined, checkAgainMs: 12 * 3_600_000 },
    begin(request) {
      issuer.begun.push(clock.now())
      return plannedOrder(id, request, request.replacesPem ? 'predecessor' : undefined)
    },
    async advance(order, signal) {
      issuer.attempts.push(clock.now())
      // Longer than an order is waited for at once: it is asked about again later.
      if (issuer.isStuck) return { result: 'waiting', order, waitMs: 3 * MINUTE_MS }
      if (issuer.problem) return { result: issuer.ends, order, problem: issuer.problem }
      return ca.advance(order, signal)
    },
    async revoke(pem) {
      if (issuer.problem) return { revoked: false, problem: issuer.problem }
      issuer.revoked.push(pem)
      return { revoked: true }
    },
    renewalAdvice: async () => issuer.advice,
  }
  return issuer
}
