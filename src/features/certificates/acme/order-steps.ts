import { DAY_MS, SECOND_MS, type Clock } from '../../../platform/clock.ts'
import { readCsr } from '../authority/csr.ts'
import { checkIssuedChain } from '../authority/issued-chain.ts'
import {
  ISSUANCE_STEPS,
  type Advance,
  type ChallengeAnswer,
  type ChallengeType,
  type IssuanceOrder,
  type IssuanceStep,
} from '../issuer.ts'
import { AcmeError, hasType } from './acme-error.ts'
import { keyAuthorization } from './challenge.ts'
import type { AcmeClient, OrderState } from './client.ts'
import { issuanceProblem, problemFromAcme } from './issuance-problem.ts'
import { readProblem, type Authorization } from './messages.ts'
import { afterError, authorizationFailed, failed, moved, noChallenge } from './order-outcome.ts'

const POLL_DEFAULT_MS = 2 * SECOND_MS
const POLL_MIN_MS = SECOND_MS
const POLL_MAX_MS = 60 * SECOND_MS
/** However late the CA says that an order expires, it is not asked about for longer. */
const ORDER_KEPT_MAX_MS = 7 * DAY_MS

type Step = (order: IssuanceOrder, signal?: AbortSignal) => Promise<Advance>

interface OrderStepsNeeds {
  client: AcmeClient
  clock: Clock
}

/** Advances an order by one step; what the CA or the network does comes back as an outcome. */
export function createOrderSteps(needs: OrderStepsNeeds): Step {
  const steps = stepsOf(needs)
  return async (order, signal) => {
    try {
      return await steps[order.step](order, signal)
    } catch (error) {
      if (!(error instanceof AcmeError)) throw error
      return afterError(order, error)
    }
  }
}

function stepsOf({ client, clock }: OrderStepsNeeds): Record<IssuanceStep, Step> {
  return { planned, ordered, challenged, validating, ready, finalizing: collect, issued: collect }

  async function planned(order: IssuanceOrder, signal?: AbortSignal): Promise<Advance> {
    const { url, state } = await client.newOrder(order, signal)
    const keptUntil = clock.now() + ORDER_KEPT_MAX_MS
    return moved(order, {
      step: 'ordered',
      orderUrl: url,
      authorizationUrls: state.authorizations,
      finalizeUrl: state.finalize,
      expiresAt: Math.min(Date.parse(state.expires ?? '') || keptUntil, keptUntil),
    })
  }

  async function ordered(order: IssuanceOrder, signal?: AbortSignal): Promise<Advance> {
    const answers: ChallengeAnswer[] = []
    for (const url of order.authorizationUrls) {
      const authorization = await client.authorization(url, signal)
      if (authorization.status === 'valid') continue
      if (authorization.status !== 'pending') return authorizationFailed(order, authorization)
      const answer = chooseChallenge(authorization, order.challengeTypes, await client.thumbprint(signal))
      if (!answer) return noChallenge(order, authorization)
      answers.push(answer)
    }
    return moved(order, { step: answers.length ? 'challenged' : 'ready', answers })
  }

  async function challenged(order: IssuanceOrder, signal?: AbortSignal): Promise<Advance> {
    for (const { challengeUrl } of order.answers) await client.answerChallenge(challengeUrl, signal)
    return moved(order, { step: 'validating' })
  }

  async function validating(order: IssuanceOrder, signal?: AbortSignal): Promise<Advance> {
    const state = await client.order(known(order.orderUrl, order), signal)
    return state.status === 'pending' ? waiting(order, state) : follow(order, state, signal)
  }

  async function ready(order: IssuanceOrder, signal?: AbortSignal): Promise<Advance> {
    try {
      return await follow(order, await client.finalize(known(order.finalizeUrl, order), order.csr, signal), signal)
    } catch (error) {
      // The request arrived before, and only its answer was lost.
      if (!hasType(error, 'orderNotReady')) throw error
      return follow(order, await client.order(known(order.orderUrl, order), signal), signal)
    }
  }

  /** Also where the chain was not stored with the record: it is downloaded again. */
  async function collect(order: IssuanceOrder, signal?: AbortSignal): Promise<Advance> {
    const state = await client.order(known(order.orderUrl, order), signal)
    if (state.status !== 'valid' || state.certificate === undefined) return follow(order, state, signal)
    const chainPem = await client.certificateChain(state.certificate, signal)
    const check = checkIssuedChain(chainPem, await readCsr(order.csr), clock.now())
    if (check.ok) return { result: 'issued', order: { ...order, step: 'issued' }, chain: check.chain }
    return failed(order, issuanceProblem('certificate_refused', { detail: check.reason }))
  }

  /** Goes to the step that fits what the CA says. On the same step or back it pauses, so that no CA makes it spin. */
  async function follow(order: IssuanceOrder, state: OrderState, signal?: AbortSignal): Promise<Advance> {
    if (state.status === 'invalid') return orderFailed(order, state, signal)
    const step = STEP_OF_STATUS[state.status]
    const forward = ISSUANCE_STEPS.indexOf(step) > ISSUANCE_STEPS.indexOf(order.step)
    if (forward) return moved(order, { step })
    return waiting(step === order.step ? order : { ...order, step }, state)
  }

  function waiting(order: IssuanceOrder, { retryAfterMs }: OrderState): Advance {
    if (order.expiresAt !== null && order.expiresAt <= clock.now()) {
      return failed(order, issuanceProblem('order_expired', {}))
    }
    const waitMs = Math.min(Math.max(retryAfterMs ?? POLL_DEFAULT_MS, POLL_MIN_MS), POLL_MAX_MS)
    return { result: 'waiting', order, waitMs }
  }

  /** The order seldom says why; the challenge that failed does. */
  async function orderFailed(order: IssuanceOrder, state: OrderState, signal?: AbortSignal): Promise<Advance> {
    for (const url of order.authorizationUrls) {
      const authorization = await client.authorization(url, signal)
      if (authorization.status === 'valid' || authorization.status === 'pending') continue
      return authorizationFailed(order, authorization)
    }
    const hostname = order.names[0]
    const problem = state.error ? problemFromAcme(readProblem(state.error), hostname) : undefined
    return failed(order, problem ?? issuanceProblem('rejected', { hostname }))
  }
}

const STEP_OF_STATUS = { pending: 'ordered', ready: 'ready', processing: 'finalizing', valid: 'finalizing' } as const

function chooseChallenge(
  { challenges, identifier }: Authorization,
  types: readonly ChallengeType[],
  thumbprint: string,
): ChallengeAnswer | undefined {
  for (const type of types) {
    const challenge = challenges.find((each) => each.type === type)
    if (challenge?.token === undefined) continue
    return {
      hostname: identifier.value.toLowerCase(),
      type,
      token: challenge.token,
      keyAuthorization: keyAuthorization(challenge.token, thumbprint),
      challengeUrl: challenge.url,
    }
  }
  return undefined
}

function known(url: string | null, order: IssuanceOrder): string {
  if (url !== null) return url
  throw new Error(`An order at step "${order.step}" was stored without its addresses.`)
}
