import { SECOND_MS, type Clock } from '../../../platform/clock.ts'
import { checkIssuedChain } from '../issued-chain.ts'
import type { Advance, ChallengeAnswer, ChallengeType, IssuanceOrder, IssuanceStep } from '../issuer.ts'
import { AcmeError, hasType } from './acme-error.ts'
import { keyAuthorization } from './challenge.ts'
import type { AcmeClient, OrderState } from './client.ts'
import { issuanceProblem, problemFromAcme, problemFromError } from './issuance-problem.ts'
import { readProblem, type Authorization } from './messages.ts'

const RESTARTS_MAX = 1
const POLL_DEFAULT_MS = 2 * SECOND_MS
const POLL_MIN_MS = SECOND_MS
const POLL_MAX_MS = 60 * SECOND_MS

interface Capabilities {
  client: AcmeClient
  clock: Clock
}

type Step = (order: IssuanceOrder, signal?: AbortSignal) => Promise<Advance>

/** One step of an order; what the CA or the network does comes back as an outcome. */
export async function advanceOrder(
  capabilities: Capabilities,
  order: IssuanceOrder,
  signal?: AbortSignal,
): Promise<Advance> {
  try {
    return await createSteps(capabilities)[order.step](order, signal)
  } catch (error) {
    if (!(error instanceof AcmeError)) throw error
    return afterError(order, error)
  }
}

function createSteps({ client, clock }: Capabilities): Record<IssuanceStep, Step> {
  return {
    async planned(order, signal) {
      const { url, state } = await client.newOrder(order, signal)
      return moved(order, {
        step: 'ordered',
        orderUrl: url,
        authorizationUrls: state.authorizations,
        finalizeUrl: state.finalize,
        expiresAt: Date.parse(state.expires ?? '') || null,
      })
    },

    async ordered(order, signal) {
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
    },

    async challenged(order, signal) {
      for (const { challengeUrl } of order.answers) await client.answerChallenge(challengeUrl, signal)
      return moved(order, { step: 'validating' })
    },

    async validating(order, signal) {
      const state = await client.order(orderUrl(order), signal)
      if (state.status === 'pending') return waiting(order, state)
      return follow(order, state, signal)
    },

    async ready(order, signal) {
      try {
        return await follow(order, await client.finalize(finalizeUrl(order), order.csr, signal), signal)
      } catch (error) {
        // The request arrived before, and only its answer was lost.
        if (!hasType(error, 'orderNotReady')) throw error
        return follow(order, await client.order(orderUrl(order), signal), signal)
      }
    },

    async finalizing(order, signal) {
      const state = await client.order(orderUrl(order), signal)
      if (state.status === 'processing') return waiting(order, state)
      if (state.status !== 'valid' || state.certificate === undefined) return follow(order, state, signal)
      const chainPem = await client.certificateChain(state.certificate, signal)
      const check = await checkIssuedChain(chainPem, order.csr, clock.now())
      if (check.ok) return { result: 'issued', order: { ...order, step: 'issued' }, chain: check.chain }
      return failed(order, issuanceProblem('certificate_refused', { detail: check.reason }))
    },

    /** The chain was not stored with the record: it is downloaded again. */
    issued: (order, signal) => createSteps({ client, clock }).finalizing(order, signal),
  }

  /** The step that fits what the CA says of the order. */
  async function follow(order: IssuanceOrder, state: OrderState, signal?: AbortSignal): Promise<Advance> {
    switch (state.status) {
      case 'pending':
        if (order.expiresAt !== null && order.expiresAt <= clock.now()) return failed(order, issuanceProblem('order_expired', {}))
        return moved(order, { step: 'ordered' })
      case 'ready':
        return moved(order, { step: 'ready' })
      case 'processing':
      case 'valid':
        return moved(order, { step: 'finalizing' })
      case 'invalid':
        return orderFailed(order, state, signal)
    }
  }

  function waiting(order: IssuanceOrder, { retryAfterMs }: OrderState): Advance {
    if (order.expiresAt !== null && order.expiresAt <= clock.now()) return failed(order, issuanceProblem('order_expired', {}))
    const waitMs = Math.min(Math.max(retryAfterMs ?? POLL_DEFAULT_MS, POLL_MIN_MS), POLL_MAX_MS)
    return { result: 'waiting', order, waitMs }
  }

  /** The order seldom says why; the challenge that failed does. */
  async function orderFailed(order: IssuanceOrder, state: OrderState, signal?: AbortSignal): Promise<Advance> {
    for (const url of order.authorizationUrls) {
      const authorization = await client.authorization(url, signal)
      if (authorization.status !== 'valid' && authorization.status !== 'pending') return authorizationFailed(order, authorization)
    }
    const problem = state.error ? problemFromAcme(readProblem(state.error), order.names[0] ?? null) : null
    return failed(order, problem ?? issuanceProblem('rejected', { hostname: order.names[0] ?? null }))
  }
}

function chooseChallenge(
  authorization: Authorization,
  types: readonly ChallengeType[],
  thumbprint: string,
): ChallengeAnswer | undefined {
  for (const type of types) {
    const challenge = authorization.challenges.find((each) => each.type === type)
    if (challenge?.token === undefined) continue
    return {
      hostname: authorization.identifier.value.toLowerCase(),
      type,
      token: challenge.token,
      keyAuthorization: keyAuthorization(challenge.token, thumbprint),
      challengeUrl: challenge.url,
    }
  }
  return undefined
}

function authorizationFailed(order: IssuanceOrder, authorization: Authorization): Advance {
  const hostname = authorization.identifier.value
  const error = authorization.challenges.find((challenge) => challenge.error)?.error
  if (error) return failed(order, problemFromAcme(readProblem(error), hostname))
  const detail = `the authorization is ${authorization.status}`
  return failed(order, issuanceProblem(authorization.status === 'invalid' ? 'rejected' : 'order_expired', { hostname, detail }))
}

function noChallenge(order: IssuanceOrder, authorization: Authorization): Advance {
  const offered = authorization.challenges.map(({ type }) => type).join(', ')
  const hostname = authorization.identifier.value
  const detail = `the CA offers ${offered || 'no challenges'}, not ${order.challengeTypes.join(' or ')}`
  return failed(order, issuanceProblem('rejected', { hostname, detail }))
}

function afterError(order: IssuanceOrder, error: AcmeError): Advance {
  if (order.step !== 'planned' && isLost(error)) {
    if (order.restarts >= RESTARTS_MAX) return failed(order, issuanceProblem('order_lost', { detail: error.detail }))
    return moved(order, {
      step: 'planned',
      orderUrl: null,
      authorizationUrls: [],
      finalizeUrl: null,
      expiresAt: null,
      answers: [],
      restarts: order.restarts + 1,
    })
  }
  const problem = problemFromError(error, order.names.length === 1 ? (order.names[0] ?? null) : null)
  const later = error.kind !== 'refused' || ['rate_limited', 'operator_needed'].includes(problem.code)
  return later ? { result: 'stalled', order, problem } : failed(order, problem)
}

/** A CA that has restarted from nothing answers 404; one for which the account is a new one, 401 or 403. */
const isLost = (error: AcmeError) =>
  error.status === 404 || (hasType(error, 'unauthorized') && (error.status === 401 || error.status === 403))

const moved = (order: IssuanceOrder, change: Partial<IssuanceOrder>): Advance => ({
  result: 'moved',
  order: { ...order, ...change },
})

const failed = (order: IssuanceOrder, problem: ReturnType<typeof issuanceProblem>): Advance => ({
  result: 'failed',
  order,
  problem,
})

const orderUrl = (order: IssuanceOrder) => known(order.orderUrl, order)
const finalizeUrl = (order: IssuanceOrder) => known(order.finalizeUrl, order)

function known(url: string | null, order: IssuanceOrder): string {
  if (url !== null) return url
  throw new Error(`An order at step "${order.step}" was stored without its addresses.`)
}
