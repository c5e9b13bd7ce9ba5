import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'
import { newId } from '../../../platform/id.ts'
import { ABORTED, orAborted } from '../../../platform/work/or-aborted.ts'
import { certificateRiskAt } from '../../domains/lifecycle.ts'
import type { IssuedChain } from '../authority/issued-chain.ts'
import type { Authority } from '../choice/authority.ts'
import { firstToOpen, type NoRoom, roomsFor } from '../choice/room.ts'
import { type ChallengeType, INTERNAL_CA_ID, type IssuanceOrder, type Issuer } from '../issuer.ts'
import { createPrivateKeyPem } from '../authority/key-pair.ts'
import { nextTurnAt } from '../budget/next-turn.ts'
import { type Attempt, lifeOf, requestOf, wakeBy } from './attempt.ts'
import { failed, problemOfWaiting } from './failure.ts'
import type { OrderNeeds } from './order-needs.ts'
import type { PreflightSubject } from '../preflight.ts'
import { beginOrder, type GivenUp, heldBack, pauseOrder, putOffOrder, saveOrder } from './order-writes.ts'
import { type CertificateRow, listUnwanted } from '../queries.ts'
import { renewalAt } from '../renewal.ts'
import { type OrderEnd, runOrder } from './run-order.ts'
import { certificateKey, orderKey } from '../vault.ts'
import { storeCertificate } from './outcome-writes.ts'
import { waitForAuthority } from './trouble.ts'

/** After this an order that the authority is still at work on makes room for others. */
const PATIENCE_MS = 2 * MINUTE_MS
/** For one that took too long: enough to be collected, if the authority has come to its end after all. */
const LAST_PATIENCE_MS = 10 * SECOND_MS

/** Another instance works on the order by now: nothing more may be done or stored here. */
class LeaseLost extends Error {}

interface OrderStart {
  attempt: Attempt
  /** Whose custom domain it is; undefined for a name of the platform itself. */
  projectId: number | undefined
  stage: PreflightSubject['stage']
  /** Since when the certificate is wanted. */
  since: number
  /** Whom to ask, in this order. */
  authorities: readonly Authority[]
  /** When the first of those may be asked who want to be left alone now. */
  retryAt: number
  /** The order in whose place this one comes; it stands until then. */
  givenUp: GivenUp | undefined
}

/**
 * Looks before it spends, stores the order, and only then lets the authority know. The first of these authorities is
 * asked that has room in its budget and that the name's CAA records allow.
 */
export async function startOrder(
  needs: OrderNeeds,
  { authorities, retryAt, attempt, projectId, stage, since, givenUp }: OrderStart,
  signal: AbortSignal,
): Promise<void> {
  const { storage, audited, clock, random, vault, preflight } = needs
  const { lease, isPlatforms, predecessor, failures, nextByItself } = attempt
  const hostname = lease.subject
  const now = clock.now()
  const riskAt = predecessor && certificateRiskAt(lifeOf(predecessor))
  const turn = { since, endsAt: predecessor?.not_after, riskAt, share: random() }
  const putOff = async ({ refusal, limits }: NoRoom) => {
    const dueAt = nextTurnAt(refusal, limits, turn, now)
    const problem = heldBack(hostname, refusal.decidedBy.limit)
    if (projectId === undefined) needs.onOperatorProblem(hostname, problem)
    await audited.write(putOffOrder, { lease, isPlatforms, problem, dueAt, nextByItself, now })
  }
  // Asked first, because it is one read: of a backlog that does not fit, nobody's nameservers hear in vain.
  const holder = await needs.holderOf({ hostname, projectId })
  const wishAt = (issuer: string) => requestOf(hostname, attempt, { issuer, holder, now })
  const rooms = await roomsFor(storage.read, authorities, wishAt, now)
  if (rooms.every((room) => 'refusal' in room)) return putOff(firstToOpen(rooms))
  const look = await orAborted(preflight({ hostname, projectId, stage }), signal)
  if (look === ABORTED) return void (await storage.write(pauseOrder, { lease, dueAt: lease.dueAt }))
  if (!look.go) return failed(needs, { attempt, problem: look.problem })
  const first = needs.authorities[0]?.issuer.id
  const methodsOf = ({ id }: Issuer) => (id === first ? look.methods : look.fallbackMethods)
  const allowed = rooms.filter(({ authority }) => methodsOf(authority.issuer).length > 0)
  if (allowed.length === 0) {
    const dueAt = wakeBy(retryAt, predecessor, now)
    return void (await audited.write(waitForAuthority, { lease, isPlatforms, dueAt, now }))
  }
  const room = allowed.find((each) => !('refusal' in each))
  if (room === undefined || 'refusal' in room) return putOff(firstToOpen(allowed))

  const { issuer, limits } = room.authority
  const privateKeyPem = await createPrivateKeyPem()
  const { createCsr } = await import('../authority/csr.ts')
  const begun = issuer.begin({
    names: room.request.names,
    csr: await createCsr(room.request.names, privateKeyPem),
    challengeTypes: inTurn(methodsOf(issuer), failures),
    challengeLabel: look.challengeLabel,
    replacesPem: room.replacesPem,
  })
  const others = needs.authorities.filter((each) => each.issuer.id !== issuer.id && methodsOf(each.issuer).length > 0)
  const order = { ...begun, beganAt: now, others: others.map((each) => each.issuer.id) }
  const sealedKey = vault.seal(orderKey(hostname), privateKeyPem)
  const paid = { request: { ...room.request, replacing: order.replaces !== null }, limits, turn, nextByItself }
  const of = { lease, isPlatforms }
  const stored = await audited.write(beginOrder, { ...of, order, sealedKey, givenUp, ...paid, now: clock.now() })
  if (stored.kind !== 'begun') return
  await continueOrder(needs, { authority: room.authority, attempt, order, sealedKey }, signal)
}

interface OrderUnderWay {
  /** Whose order it is. */
  authority: Authority
  attempt: Attempt
  order: IssuanceOrder
  sealedKey: string
  /** Begins another, where an attempt has failed already because this one took too long. */
  beginAnew?: ((givenUp: IssuanceOrder) => Promise<void>) | undefined
}

/** From wherever the record stands, by this instance or the one that died before it. */
export async function continueOrder(needs: OrderNeeds, input: OrderUnderWay, signal: AbortSignal): Promise<void> {
  const { storage, clock } = needs
  const { authority, attempt, beginAnew } = input
  const { issuer } = authority
  const { lease } = attempt
  const save = async (order: IssuanceOrder) => {
    if (!(await storage.write(saveOrder, { lease, order }))) throw new LeaseLost()
  }
  try {
    const patienceMs = beginAnew ? LAST_PATIENCE_MS : PATIENCE_MS
    const end = await runOrder({ issuer, clock, save }, input.order, { patienceMs, signal })
    switch (end.result) {
      case 'issued':
        return await issued(needs, input, end.chain)
      case 'waiting': {
        const pause = { lease, dueAt: clock.now() + end.waitMs }
        if (signal.aborted) return void (await storage.write(pauseOrder, pause))
        if (beginAnew) return await beginAnew(end.order)
        const problem = await problemOfWaiting(needs, { ...input, order: end.order })
        if (problem) return await failed(needs, { ...input, order: end.order, isOver: false, problem })
        return void (await storage.write(pauseOrder, pause))
      }
      case 'stalled':
        // Stopping looks to the order as if the authority were out of reach, and is no failure.
        if (signal.aborted) return void (await storage.write(pauseOrder, { lease, dueAt: clock.now() }))
        if (beginAnew && isWorthAnother(attempt, end)) return await beginAnew(end.order)
        return await failed(needs, { ...input, order: end.order, isOver: false, problem: end.problem })
      case 'failed':
        return await failed(needs, { ...input, order: end.order, isOver: true, problem: end.problem })
    }
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
  }
}

/** It may be this order alone that the authority has trouble with: a person's own attempt finds out. */
const isWorthAnother = ({ nextByItself }: Attempt, { order, problem }: Extract<OrderEnd, { result: 'stalled' }>) =>
  nextByItself !== undefined && order.step !== 'planned' && problem.retryAfterMs === null

async function issued(
  { storage, audited, clock, random, vault }: OrderNeeds,
  { authority: { issuer }, attempt: { lease }, sealedKey }: OrderUnderWay,
  { chainPem, leaf }: IssuedChain,
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
    revoke_for: null,
    revoked_at: null,
  }
  // What was served until now can be revoked from now on.
  const isRevoking = (await listUnwanted(storage.read, hostname, now)).length > 0
  const nextDueAt = isRevoking ? now : nextLookAt(certificate)
  await audited.write(storeCertificate, { lease, certificate, nextDueAt, now })
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
