import type { Advance, IssuanceOrder, IssuanceProblem } from '../issuer.ts'
import { hasType, type AcmeError } from './acme-error.ts'
import { issuanceProblem, problemFromAcme, problemFromError } from './issuance-problem.ts'
import { readProblem, type Authorization } from './messages.ts'

const RESTARTS_MAX = 1

export const moved = (order: IssuanceOrder, change: Partial<IssuanceOrder>): Advance => ({
  result: 'moved',
  order: { ...order, ...change },
})

export const failed = (order: IssuanceOrder, problem: IssuanceProblem): Advance => ({
  result: 'failed',
  order,
  problem,
})

export function authorizationFailed(order: IssuanceOrder, authorization: Authorization): Advance {
  const hostname = authorization.identifier.value
  const { error, type } = authorization.challenges.find((challenge) => challenge.error) ?? {}
  if (error) return failed(order, problemFromAcme(readProblem(error), hostname, type))
  const code = authorization.status === 'invalid' ? 'rejected' : 'order_expired'
  return failed(order, issuanceProblem(code, { hostname, detail: `the authorization is ${authorization.status}` }))
}

export function noChallenge(order: IssuanceOrder, authorization: Authorization): Advance {
  const offered = authorization.challenges.map(({ type }) => type).join(', ') || 'no challenges'
  const detail = `the CA offers ${offered}, not ${order.challengeTypes.join(' or ')}`
  return failed(order, issuanceProblem('rejected', { hostname: authorization.identifier.value, detail }))
}

/** An order that the CA has forgotten begins anew, once; what may pass leaves the order as it is. */
export function afterError(order: IssuanceOrder, error: AcmeError): Advance {
  if (order.step !== 'planned' && isLost(error)) return restart(order, error)
  const problem = problemFromError(error, order.names.length === 1 ? order.names[0] : undefined)
  const mayPass = error.kind !== 'refused' || problem.code === 'rate_limited' || problem.code === 'operator_needed'
  return mayPass ? { result: 'stalled', order, problem } : failed(order, problem)
}

function restart(order: IssuanceOrder, error: AcmeError): Advance {
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

/** A CA that has restarted from nothing answers 404; one for which the account is a new one, 401 or 403. */
const isLost = (error: AcmeError) =>
  error.status === 404 || (hasType(error, 'unauthorized') && (error.status === 401 || error.status === 403))
