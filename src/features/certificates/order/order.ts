import { type Clock, HOUR_MS, MINUTE_MS } from '../../../platform/clock.ts'
import { newId } from '../../../platform/id.ts'
import type { AuditedStorage, Storage } from '../../../platform/storage/storage.ts'
import type { Lease } from '../../../platform/work/lease.ts'
import { ABORTED, orAborted } from '../../../platform/work/or-aborted.ts'
import { certificateRiskAt } from '../../domains/lifecycle.ts'
import type { BudgetRequest } from '../budget/budget.ts'
import type { CaLimits } from '../budget/limits.ts'
import type { IssuedChain } from '../authority/issued-chain.ts'
import { type ChallengeType, INTERNAL_CA_ID, type IssuanceOrder, type IssuanceProblem, type Issuer } from '../issuer.ts'
import { createPrivateKeyPem } from '../authority/key-pair.ts'
import { budgetFor } from '../budget/meters.ts'
import { nextTurnAt } from '../budget/next-turn.ts'
import { type Attempt, lifeOf, requestOf, wakeBy } from './attempt.ts'
import { beginOrder, heldBack, pauseOrder, putOffOrder, saveOrder } from './order-writes.ts'
import type { Preflight, PreflightSubject } from '../preflight.ts'
import type { CertificateRow } from '../queries.ts'
import { keptRetryAfterMs, nextAttemptAt, renewalAt } from '../renewal.ts'
import { runOrder } from './run-order.ts'
import { certificateKey, orderKey, type Vault } from '../vault.ts'
import { recordFailure, storeCertificate } from './outcome-writes.ts'

export interface OrderNeeds {
  storage: Storage
  /** Writes in the service's own name, with audit entries. */
  audited: AuditedStorage
  clock: Clock
  /** Numbers from 0 up to 1, for spreading. */
  random: () => number
  vault: Vault
  issuer: Issuer
  /** Undefined where the issuer has none. */
  limits: CaLimits | undefined
  preflight: (name: PreflightSubject) => Promise<Preflight>
  /** Whose share of new orders a name is taken from. */
  holderOf: (name: PreflightSubject) => Promise<BudgetRequest['holder']>
  /** Names of the platform itself that this issuer certifies. */
  isPlatformName: (hostname: string) => Promise<boolean>
  /** Told of what came to nothing where no project's people would hear of it, or could do anything about it. */
  onOperatorProblem: (hostname: string, problem: IssuanceProblem) => void
}

/** After this an order that the authority is still at work on makes room for others. */
const PATIENCE_MS = 2 * MINUTE_MS

/** Another instance works on the order by now: nothing more may be done or stored here. */
class LeaseLost extends Error {}

interface OrderStart {
  attempt: Attempt
  /** Whose custom domain it is; undefined for a name of the platform itself. */
  projectId: number | undefined
  /** Since when the certificate is wanted. */
  since: number
}

/** Looks before it spends, stores the order, and only then lets the authority know. */
export async function startOrder(
  needs: OrderNeeds,
  { attempt, projectId, since }: OrderStart,
  signal: AbortSignal,
): Promise<void> {
  const { storage, clock, random, vault, issuer, limits, preflight } = needs
  const { lease, predecessor, failures, nextByItself } = attempt
  const hostname = lease.subject
  const now = clock.now()
  const riskAt = predecessor && certificateRiskAt(lifeOf(predecessor))
  const turn = { since, endsAt: predecessor?.not_after, riskAt, share: random() }
  // Asked first, because it is one read: of a backlog that does not fit, nobody's nameservers hear in vain.
  const holder = await needs.holderOf({ hostname, projectId })
  const { request, replacesPem } = requestOf(hostname, attempt, { issuer: issuer.id, holder, now })
  const budget = await budgetFor(storage.read, issuer.id, limits, request, now)
  if (limits && !budget.allowed) {
    const dueAt = nextTurnAt(budget, limits, turn, now)
    const problem = heldBack(hostname, budget.decidedBy.limit)
    if (projectId === undefined) needs.onOperatorProblem(hostname, problem)
    return void (await storage.write(putOffOrder, { lease, problem, dueAt, nextByItself, now }))
  }
  const look = await orAborted(preflight({ hostname, projectId }), signal)
  if (look === ABORTED) return void (await storage.write(pauseOrder, { lease, dueAt: lease.dueAt }))
  if (!look.go) return failed(needs, { attempt, problem: look.problem, failedOrder: undefined })

  const privateKeyPem = await createPrivateKeyPem()
  const { createCsr } = await import('../authority/csr.ts')
  const order = issuer.begin({
    names: request.names,
    csr: await createCsr(request.names, privateKeyPem),
    challengeTypes: inTurn(look.methods, failures),
    replacesPem,
  })
  const sealedKey = vault.seal(orderKey(hostname), privateKeyPem)
  const paid = { request: { ...request, replacing: order.replaces !== null }, limits, turn, nextByItself }
  const begun = await storage.write(beginOrder, { lease, order, sealedKey, ...paid, now: clock.now() })
  if (begun.kind === 'begun') await continueOrder(needs, { attempt, order, sealedKey }, signal)
}

/** From wherever the record stands, by this instance or the one that died before it. */
export async function continueOrder(
  needs: OrderNeeds,
  input: { attempt: Attempt; order: IssuanceOrder; sealedKey: string },
  signal: AbortSignal,
): Promise<void> {
  const { storage, clock, issuer } = needs
  const { attempt } = input
  const { lease } = attempt
  const save = async (order: IssuanceOrder) => {
    if (!(await storage.write(saveOrder, { lease, order }))) throw new LeaseLost()
  }
  try {
    const end = await runOrder({ issuer, clock, save }, input.order, { patienceMs: PATIENCE_MS, signal })
    switch (end.result) {
      case 'issued':
        return await issued(needs, lease, end.chain, input.sealedKey)
      case 'waiting':
        return void (await storage.write(pauseOrder, { lease, dueAt: clock.now() + end.waitMs }))
      case 'stalled':
        // Stopping looks to the order as if the authority were out of reach, and is no failure.
        if (signal.aborted) return void (await storage.write(pauseOrder, { lease, dueAt: clock.now() }))
        return await failed(needs, { attempt, problem: end.problem, failedOrder: undefined })
      case 'failed':
        return await failed(needs, { attempt, problem: end.problem, failedOrder: end.order })
    }
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
  }
}

async function issued(
  { audited, clock, random, vault, issuer }: OrderNeeds,
  lease: Lease,
  { chainPem, leaf }: IssuedChain,
  sealedKey: string,
): Promise<void> {
  const hostname = lease.subject
  const now = clock.now()
  const id = newId('crt')
  const { notBefore, notAfter } = leaf
  const certificate: CertificateRow = {
    id,
    hostname,
    issuer: issuer.id,
    issuer_name: leaf.issuer,
    serial: leaf.serial,
    fingerprint: leaf.fingerprint,
    chain: chainPem,
    sealed_key: vault.seal(certificateKey(id), vault.open(orderKey(hostname), sealedKey)),
    not_before: notBefore,
    not_after: notAfter,
    issued_at: now,
    renew_at: renewalAt({ notBefore, notAfter }, undefined, now, random),
    advice_due_at: firstAdviceAt(issuer, now),
    advice: null,
    revoked_at: null,
  }
  await audited.write(storeCertificate, { lease, certificate, nextDueAt: nextLookAt(certificate), now })
}

/** What a person has asked for beside the schedule leaves the schedule as it is, unless the authority asks for more. */
async function failed(
  { audited, clock, random, issuer, limits, isPlatformName, onOperatorProblem }: OrderNeeds,
  input: { attempt: Attempt; problem: IssuanceProblem; failedOrder: IssuanceOrder | undefined },
): Promise<void> {
  const { attempt, problem, failedOrder } = input
  const { lease, predecessor, failures, nextByItself } = attempt
  const now = clock.now()
  const { retryAfterMs } = problem
  const next =
    nextByItself === undefined
      ? nextAttemptAt({ now, failures: failures + 1, retryAfterMs, endsAt: predecessor?.not_after }, random)
      : Math.max(nextByItself, now + keptRetryAfterMs(retryAfterMs))
  const outcome = await audited.write(recordFailure, {
    lease,
    problem,
    failedOrder,
    issuer: issuer.id,
    limits,
    nextAttemptAt: next,
    isExtra: nextByItself !== undefined,
    nextDueAt: wakeBy(next, predecessor, now),
    now,
  })
  if (outcome.kind !== 'recorded') return
  const isOperators = problem.code === 'operator_needed'
  const isPlatforms = outcome.projectId === null && (await isPlatformName(lease.subject))
  if (isOperators || isPlatforms) onOperatorProblem(lease.subject, problem)
}

/** After a failure the other way comes first: a port that is blocked for one may be open for the other. */
function inTurn(methods: readonly ChallengeType[], failures: number): readonly ChallengeType[] {
  return failures % 2 === 0 ? methods : methods.toReversed()
}

/** When the next look at a certificate is due. */
export const nextLookAt = ({ renew_at, advice_due_at }: Pick<CertificateRow, 'renew_at' | 'advice_due_at'>) =>
  advice_due_at === null ? renew_at : Math.min(renew_at, advice_due_at)

/** The first question to the authority comes a while after the issue, when it has published its advice. */
const firstAdviceAt = (issuer: Issuer, now: number) => (issuer.id === INTERNAL_CA_ID ? null : now + HOUR_MS)
