import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/clock.ts'
import { claimEndsAt } from './facts.ts'
import {
  addedDomain,
  advance,
  begunBy,
  type DomainEvent,
  type DomainFacts,
  type DomainState,
  GRACE_MS,
  graceEndsAt,
  preparedDomain,
  stateOf,
} from './lifecycle.ts'

const START = Date.UTC(2026, 0, 1)
const issued = (now: number, days = 90, renewedAfter = days / 2): DomainEvent => ({
  type: 'certificate',
  notBefore: now,
  notAfter: now + days * DAY_MS,
  renewAt: now + renewedAfter * DAY_MS,
})
const failedCheck = { type: 'failed', problems: ['cname_value_differs'] } as const satisfies DomainEvent

function after(events: [DomainEvent, number][], facts: DomainFacts = addedDomain(START)): DomainFacts {
  return events.reduce((current, [event, at]) => advance(current, event, at), facts)
}

/** The edge serves a domain from its verification to its removal or the end of the grace, whatever DNS says. */
const isServed = ({ verifiedAt, removedAt }: DomainFacts) => verifiedAt !== null && removedAt === null

const live = () =>
  after([
    [{ type: 'verify' }, START],
    [{ type: 'passed' }, START + 1],
    [issued(START), START + 2],
  ])

test('the straight way leads from awaiting dns to live', () => {
  let facts = addedDomain(START)
  assert.equal(stateOf(facts, START), 'awaiting dns')
  assert.equal(facts.dueAt, null)
  facts = advance(facts, { type: 'verify' }, START)
  assert.equal(stateOf(facts, START), 'verifying')
  assert.equal(facts.dueAt, START)
  facts = advance(facts, { type: 'passed' }, START + 10)
  assert.equal(stateOf(facts, START + 10), 'issuing')
  facts = advance(facts, issued(START), START + 20)
  assert.equal(stateOf(facts, START + 20), 'live')
  assert.equal(facts.dueAt, START + 10 + DAY_MS, 'a live domain is checked again after a day')
})

test('after a failed Verify it checks again by itself, in growing pauses, for 48 hours and no longer', () => {
  let facts = advance(addedDomain(START), { type: 'verify' }, START)
  let now = START + 2 * SECOND_MS
  const pauses: number[] = []
  while (facts.dueAt !== null) {
    facts = advance(facts, failedCheck, now)
    assert.equal(stateOf(facts, now), 'awaiting dns')
    if (facts.dueAt === null) break
    pauses.push(facts.dueAt - now)
    now = facts.dueAt
  }
  assert.equal(now, START + 48 * HOUR_MS, 'the last check is at the end of the window')
  assert.equal(pauses[0], 30 * SECOND_MS)
  assert.ok(pauses.length < 70, `${pauses.length} checks`)
  assert.ok(pauses.slice(0, -1).every((pause, i) => pause >= (pauses[i - 1] ?? 0) && pause <= HOUR_MS))
  const again = advance(facts, { type: 'verify' }, now + DAY_MS)
  assert.equal(again.dueAt, now + DAY_MS)
})

test('Verify on a live domain checks at once and changes no state', () => {
  const facts = advance(live(), { type: 'verify' }, START + HOUR_MS)
  assert.equal(stateOf(facts, START + HOUR_MS), 'live')
  assert.equal(facts.dueAt, START + HOUR_MS)
})

test('drift starts a grace of 14 days from the first failure, and ends service only after it', () => {
  const drift = START + 5 * DAY_MS
  let facts = advance(live(), failedCheck, drift)
  assert.equal(stateOf(facts, drift), 'attention')
  assert.equal(graceEndsAt(facts), drift + 14 * DAY_MS)
  facts = advance(facts, failedCheck, drift + 13 * DAY_MS)
  assert.equal(graceEndsAt(facts), drift + 14 * DAY_MS, 'a later failure does not move the date')
  assert.equal(isServed(facts), true)
  assert.ok(facts.dueAt! <= drift + 14 * DAY_MS)
  facts = advance(facts, failedCheck, drift + 14 * DAY_MS)
  assert.equal(isServed(facts), false)
  assert.equal(stateOf(facts, drift + 14 * DAY_MS), 'awaiting dns')
  assert.ok(facts.dueAt! > drift + 14 * DAY_MS, 'it goes on checking for a while')
  const back = advance(facts, { type: 'passed' }, drift + 15 * DAY_MS)
  assert.equal(stateOf(back, drift + 15 * DAY_MS), 'live', 'the certificate is still there')
})

test('mended drift ends the grace, and new drift gets a new one', () => {
  const drift = START + 5 * DAY_MS
  const mended = after(
    [
      [failedCheck, drift],
      [{ type: 'passed' }, drift + 10 * DAY_MS],
    ],
    live(),
  )
  assert.equal(stateOf(mended, drift + 10 * DAY_MS), 'live')
  assert.equal(graceEndsAt(mended), undefined)
  const again = advance(mended, failedCheck, drift + 11 * DAY_MS)
  assert.equal(graceEndsAt(again), drift + 25 * DAY_MS)
})

test('what a clock that was ahead has noted counts from the first look after it is known to be right', () => {
  const look = (facts: DomainFacts, now: number) => advance(begunBy(now, facts), failedCheck, now)
  const ahead = START + 400 * DAY_MS
  const drifting = after([[failedCheck, ahead]], live())
  const grace = graceEndsAt(look(drifting, START + DAY_MS))
  assert.equal(grace, START + DAY_MS + GRACE_MS, 'it is not served for a year')

  const waiting = after([[{ type: 'verify' }, ahead]], addedDomain(ahead))
  let now = START
  let facts = look(waiting, now)
  let looks = 1
  for (; facts.dueAt !== null; looks++) {
    now = facts.dueAt
    facts = look(facts, now)
  }
  assert.ok(now === START + 48 * HOUR_MS && looks < 70, `${looks} looks until ${new Date(now).toISOString()}`)
  assert.equal(claimEndsAt(facts), START + 7 * DAY_MS)
})

test('a grace that runs out during an outage of DNS is not enforced before a clear answer', () => {
  const drift = START + DAY_MS
  const unclear = after(
    [
      [failedCheck, drift],
      [{ type: 'inconclusive' }, drift + 20 * DAY_MS],
    ],
    live(),
  )
  assert.equal(isServed(unclear), true)
  assert.ok(unclear.dueAt! <= drift + 20 * DAY_MS + 6 * HOUR_MS)
  assert.equal(isServed(advance(unclear, failedCheck, drift + 21 * DAY_MS)), false)
})

test('a certificate at risk, late or expired asks for attention; a renewal ends it', () => {
  const facts = live()
  assert.equal(stateOf(facts, START + 74 * DAY_MS), 'live')
  assert.equal(stateOf(facts, START + 76 * DAY_MS), 'attention')
  assert.equal(stateOf(facts, START + 91 * DAY_MS), 'attention')
  const renewed = advance(facts, issued(START + 76 * DAY_MS), START + 76 * DAY_MS)
  assert.equal(stateOf(renewed, START + 76 * DAY_MS), 'live')
  const short = advance(live(), issued(START, 6), START)
  assert.equal(stateOf(short, START + 4 * DAY_MS), 'live')
  assert.equal(stateOf(short, START + 5 * DAY_MS), 'attention')
})

test('a certificate is not at risk while its authority’s own plan, however late, has not been missed', () => {
  const late = advance(live(), issued(START, 90, 82), START)
  assert.equal(stateOf(late, START + 83 * DAY_MS), 'live')
  assert.equal(stateOf(late, START + 84 * DAY_MS), 'attention')
  const last = advance(live(), issued(START, 90, 89.9), START)
  assert.equal(stateOf(last, START + 90 * DAY_MS), 'attention', 'it has ended')
})

test('a prepared domain is looked at until it leads here, and waits while its records stand', () => {
  const begun = preparedDomain(addedDomain(START), START)
  assert.deepEqual([stateOf(begun, START), begun.dueAt], ['preparing', START + 30 * SECOND_MS])
  const later = advance(begun, { type: 'failed', problems: ['challenge_missing'] }, START + 10 * DAY_MS)
  assert.deepEqual([stateOf(later, START + 10 * DAY_MS), later.dueAt], ['preparing', START + 10 * DAY_MS + HOUR_MS])
  const proved = advance(later, { type: 'prepared', problems: [] }, START + 11 * DAY_MS)
  assert.deepEqual([stateOf(proved, START + 11 * DAY_MS), proved.provedAt], ['issuing', START + 11 * DAY_MS])
  const ready = advance(proved, issued(START + 11 * DAY_MS), START + 11 * DAY_MS)
  assert.equal(stateOf(ready, START + 12 * DAY_MS), 'ready')
  const switched = advance(ready, { type: 'passed' }, START + 12 * DAY_MS)
  assert.deepEqual([stateOf(switched, START + 12 * DAY_MS), isServed(switched)], ['live', true])
})

test('a domain that was prepared and verified is over with its grace, and waits as any other', () => {
  const switched = after(
    [
      [{ type: 'prepared', problems: [] }, START + HOUR_MS],
      [{ type: 'passed' }, START + DAY_MS],
      [failedCheck, START + 2 * DAY_MS],
    ],
    preparedDomain(addedDomain(START), START),
  )
  const end = START + 2 * DAY_MS + GRACE_MS
  const ended = advance(switched, failedCheck, end)
  assert.deepEqual([stateOf(ended, end), ended.preparedAt, ended.provedAt], ['awaiting dns', null, null])
  assert.equal(claimEndsAt(ended), end + 7 * DAY_MS)
})

test('a preparation whose records have gone is over at once where another project is served', () => {
  const proved = advance(preparedDomain(addedDomain(START), START), { type: 'prepared', problems: [] }, START + DAY_MS)
  assert.equal(advance(proved, failedCheck, START + 2 * DAY_MS).provedAt, START + DAY_MS)
  const taken = advance(proved, { ...failedCheck, isTaken: true }, START + 2 * DAY_MS)
  assert.equal(taken.provedAt, null)
  assert.equal(claimEndsAt(taken), claimEndsAt(proved), 'its claim ends when it would have')
})

test('a superseded domain stops and can be verified anew', () => {
  const lost = advance(live(), { type: 'superseded' }, START + DAY_MS)
  assert.deepEqual([stateOf(lost, START + DAY_MS), isServed(lost), lost.dueAt], ['awaiting dns', false, null])
  const anew = advance(lost, { type: 'verify' }, START + 2 * DAY_MS)
  assert.deepEqual([stateOf(anew, START + 2 * DAY_MS), anew.supersededAt], ['verifying', null])
})

type Targets = readonly DomainState[]

const VERIFIED: Targets = ['issuing', 'live', 'attention']
const PENDING: Targets = ['awaiting dns', 'preparing']
const PROVED: Targets = ['issuing', 'ready']

/** Every step that an event can cause, by the state before it. Time alone moves live to attention, nothing else. */
const TRANSITIONS: Record<DomainState, Record<DomainEvent['type'], Targets>> = {
  'awaiting dns': {
    verify: ['verifying'],
    passed: VERIFIED,
    failed: ['awaiting dns'],
    inconclusive: ['awaiting dns'],
    prepared: ['awaiting dns'],
    certificate: ['awaiting dns'],
    superseded: ['awaiting dns'],
    removed: ['removed'],
  },
  preparing: {
    verify: ['verifying'],
    passed: VERIFIED,
    failed: ['preparing'],
    inconclusive: ['preparing'],
    prepared: PROVED,
    certificate: ['preparing'],
    superseded: ['awaiting dns'],
    removed: ['removed'],
  },
  verifying: {
    verify: ['verifying'],
    passed: VERIFIED,
    failed: PENDING,
    inconclusive: [...PENDING, ...PROVED],
    prepared: ['awaiting dns', ...PROVED],
    certificate: ['verifying'],
    superseded: ['awaiting dns'],
    removed: ['removed'],
  },
  issuing: {
    verify: ['issuing', 'verifying'],
    passed: VERIFIED,
    failed: ['attention', 'preparing'],
    inconclusive: ['issuing'],
    prepared: PROVED,
    certificate: ['live', 'attention', ...PROVED],
    superseded: ['awaiting dns'],
    removed: ['removed'],
  },
  ready: {
    verify: ['verifying'],
    passed: VERIFIED,
    failed: ['preparing'],
    inconclusive: ['ready'],
    prepared: ['ready'],
    certificate: PROVED,
    superseded: ['awaiting dns'],
    removed: ['removed'],
  },
  live: {
    verify: ['live'],
    passed: ['live'],
    failed: ['attention'],
    inconclusive: ['live'],
    prepared: ['live'],
    certificate: ['live', 'attention'],
    superseded: ['awaiting dns'],
    removed: ['removed'],
  },
  attention: {
    verify: ['attention'],
    passed: VERIFIED,
    failed: ['attention', 'awaiting dns'],
    inconclusive: ['attention'],
    prepared: VERIFIED,
    certificate: ['live', 'attention'],
    superseded: ['awaiting dns'],
    removed: ['removed'],
  },
  removed: {
    verify: ['removed'],
    passed: ['removed'],
    failed: ['removed'],
    inconclusive: ['removed'],
    prepared: ['removed'],
    certificate: ['removed'],
    superseded: ['removed'],
    removed: ['removed'],
  },
}

const steps = fc.array(
  fc.tuple(
    fc.oneof(
      fc.constantFrom<DomainEvent>({ type: 'verify' }, { type: 'passed' }, failedCheck, { type: 'inconclusive' }),
      fc.constantFrom<DomainEvent>({ type: 'superseded' }, { type: 'removed' }, { type: 'prepared', problems: [] }),
      fc.integer({ min: 0, max: 90 }).map((days) => issued(START, days)),
    ),
    fc.oneof(fc.integer({ min: 0, max: 5 * MINUTE_MS }), fc.integer({ min: 0, max: 20 * DAY_MS })),
  ),
  { maxLength: 30 },
)

test('every step is in the table of transitions, and the next check is never in the past', () => {
  fc.assert(
    fc.property(steps, fc.boolean(), (sequence, isPrepared) => {
      let facts = isPrepared ? preparedDomain(addedDomain(START), START) : addedDomain(START)
      let now = START
      for (const [event, laterMs] of sequence) {
        now += laterMs
        const before = stateOf(facts, now)
        facts = advance(facts, event, now)
        const state = stateOf(facts, now)
        assert.ok(TRANSITIONS[before][event.type].includes(state), `${before} --${event.type}--> ${state}`)
        const isCheck = event.type === 'passed' || event.type === 'failed' || event.type === 'inconclusive'
        if (isCheck && facts.dueAt !== null) assert.ok(facts.dueAt > now && facts.dueAt <= now + DAY_MS)
        if (isServed(facts)) assert.ok(facts.dueAt !== null, 'what is served is always looked at again')
        if (state === 'removed') assert.equal(facts.dueAt, null)
      }
    }),
    { numRuns: 2000 },
  )
})

test('only removal, another owner, or 14 days of clear failure end service', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      let facts = live()
      let now = START
      let failingSince: number | null = null
      for (const [event, laterMs] of sequence) {
        now += laterMs
        const served = isServed(facts)
        facts = advance(facts, event, now)
        if (event.type === 'passed' || event.type === 'prepared') failingSince = null
        if (event.type === 'failed') failingSince ??= now
        if (!served || isServed(facts)) continue
        if (event.type === 'failed') return assert.ok(now - failingSince! >= GRACE_MS)
        return assert.ok(event.type === 'removed' || event.type === 'superseded', event.type)
      }
    }),
    { numRuns: 2000 },
  )
})

test('no sequence of unclear answers changes a live domain', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: DAY_MS }), { maxLength: 60 }), (gaps) => {
      const before = live()
      let facts = before
      let now = START + DAY_MS
      for (const gap of gaps) {
        now = Math.min(now + gap, START + 60 * DAY_MS)
        facts = advance(facts, { type: 'inconclusive' }, now)
        assert.equal(stateOf(facts, now), 'live')
        const { checkedAt: _checked, unclearSince: _unclear, dueAt: _due, ...kept } = facts
        assert.deepEqual({ ...before, ...kept }, before)
      }
    }),
  )
})
