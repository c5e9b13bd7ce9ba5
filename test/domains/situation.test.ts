import assert from 'node:assert/strict'
import { test } from 'node:test'
import { situationOf } from '../../dashboard/src/features/domains/situation.ts'
import type { Sentence, Situation } from '../../dashboard/src/features/domains/story.ts'
import { columnsOf, type DomainRow } from '../../src/features/domains/facts.ts'
import {
  addedDomain,
  advance,
  type DomainEvent,
  type DomainFacts,
  preparedDomain,
} from '../../src/features/domains/lifecycle.ts'
import { type CertificateInfo, domainView, type DomainView } from '../../src/features/domains/view.ts'
import { DAY_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import { iso } from '../../src/platform/iso-date.ts'

const START = Date.UTC(2026, 10, 15)

const EVENTS: DomainEvent[] = [
  { type: 'verify' },
  { type: 'passed' },
  { type: 'failed', problems: ['record_missing'] },
  { type: 'failed', problems: ['conflicting_address', 'proof_missing'] },
  { type: 'inconclusive' },
  { type: 'prepared', problems: [] },
  { type: 'certificate', notBefore: START, notAfter: START + 90 * DAY_MS, renewAt: START + 60 * DAY_MS },
  { type: 'superseded' },
  { type: 'removed' },
]

/** The longest way from one end of the lifecycle to the other, and back. */
const STEPS_MAX = 5

test('whatever happens to a domain, in any order, its page and its line never contradict what is so', () => {
  let looked = 0
  const states = new Set<string>()
  for (const { facts, now } of everyLife()) {
    for (const issuance of ISSUANCES) {
      for (const role of ['primary', 'redirect'] as const) {
        const view = viewOf(facts, now, issuance, role)
        states.add(view.state)
        assertTrue(view, situationOf(view, now))
        looked++
        if (view.verifiedAt !== null) continue
        // The same while some nameservers lead here and others to the old host.
        const switching = { ...view, switchSeenAt: iso(now) }
        assertTrue(switching, situationOf(switching, now))
      }
    }
  }
  const ordinary = ['attention', 'awaiting dns', 'issuing', 'live', 'removed', 'verifying']
  assert.deepEqual([...states].toSorted(), [...ordinary, 'preparing', 'ready'].toSorted())
  assert.ok(looked > 1000, `${looked} situations`)
})

/** Every sentence that is shown at the same time, held against the facts. */
function assertTrue(view: DomainView, { headline, sentence, next, steps, line }: Situation): void {
  const told = [headline, textOf(sentence), ...steps.map(({ title, about }) => `${title}: ${textOf(about)}`), line]
  const all = told.join(' | ')
  const says = (words: RegExp, isSo: boolean) => {
    if (!isSo && words.test(all)) assert.fail(`“${words.exec(all)?.[0]}” is not so: ${all} ${JSON.stringify(view)}`)
  }
  const mark = (title: string) => steps.find((step) => step.title === title)?.mark
  const isServed = (view.verifiedAt !== null || view.provedAt !== null) && view.state !== 'removed'
  const isRight = view.verifiedAt !== null && view.state !== 'removed' && view.failingSince === null

  says(/visitors (?:are|see)|shows the site|redirects to|leads visitors/i, isServed)
  says(/not served/i, !isServed)
  says(/in place(?! and)|record is right\.|Verified/, isRight)
  says(/not right|no longer leads|Does not verify/, view.failingSince !== null)
  says(/no clear answer/i, view.unclearSince !== null)
  says(/ready to switch|change its record/i, view.state === 'ready' && view.switchSeenAt === null)
  says(/not every nameserver|old host/i, view.switchSeenAt !== null)
  if (view.state === 'ready' && view.switchSeenAt !== null) assert.match(headline, /^Switching/)
  says(/\blive: |^live/i, view.state === 'live' || mark('Live') !== 'done')
  says(/Issued(?! automatically)|renews|renewed by itself/, view.certificate !== null)
  says(/could not be renewed|Not renewed|at risk/, view.state === 'attention')
  says(/has ended|HTTP only/i, view.certificate === null && view.certificateEndedAt !== null)
  says(/on its way|Being issued/, view.state === 'issuing')
  says(/undefined|null|NaN|Invalid/, false)

  assert.equal(mark('DNS record') === 'done', isRight)
  assert.equal(mark('Verify') === 'done', isRight)
  assert.equal(mark('Live') === 'done', view.state === 'live')
  if (mark('Certificate') === 'done') assert.ok(view.certificate)
  // What is behind is done, unless it has been undone since: nothing is done before what it stands on.
  if (view.state === 'live') assert.ok(steps.every((step) => step.mark === 'done'))
  assert.equal(next === 'visit', view.state === 'live')
  if (next === 'mend record') assert.notEqual(view.failingSince, null)
  if (next.startsWith('create record')) assert.deepEqual([view.failingSince, view.verifiedAt], [null, null])
  if (view.state === 'attention') assert.match(next, /^mend/)
}

const textOf = (sentence: Sentence) =>
  sentence.map((part) => (typeof part === 'string' ? part : 'ago' in part ? `<${part.ago}>` : `<${part.on}>`)).join('')

interface Life {
  facts: DomainFacts
  now: number
}

/** Every set of facts that some order of events leads to, now and after the grace. */
function everyLife(): Life[] {
  const seen = new Map<string, Life>()
  let edge: Life[] = [addedDomain(START), preparedDomain(addedDomain(START), START)].map((facts) => ({
    facts,
    now: START,
  }))
  for (let depth = 0; ; depth++) {
    const fresh = edge.map((life) => ({ life, kind: kindOf(life) })).filter(({ kind }) => !seen.has(kind))
    for (const { life, kind } of fresh) seen.set(kind, life)
    if (depth === STEPS_MAX) return [...seen.values()]
    // Many orders lead to the very same facts, from which all goes on alike.
    const distinct = new Map(fresh.map(({ life }) => [JSON.stringify(life), life]))
    edge = [...distinct.values()].flatMap(({ facts, now }) =>
      [MINUTE_MS, 15 * DAY_MS, 80 * DAY_MS].flatMap((passed) =>
        EVENTS.map((event) => ({ facts: advance(facts, event, now + passed), now: now + passed })),
      ),
    )
  }
}

/** Lives that differ in nothing but their dates have the same page. */
function kindOf({ facts, now }: Life): string {
  const left = facts.certificate && Math.sign(facts.certificate.notAfter - now - 15 * DAY_MS)
  return JSON.stringify([
    ...Object.values(facts).map((fact) => (typeof fact === 'number' ? 'set' : fact)),
    left,
    facts.failingSince !== null && now - facts.failingSince > 14 * DAY_MS,
  ])
}

const issuance = (problem: { code: string; message: string; detail: string | null } | null) => ({
  since: iso(START),
  step: null,
  authority: null,
  failures: problem ? 1 : 0,
  attemptedAt: problem ? iso(START) : null,
  problem,
  nextAttemptAt: null,
  retryAfter: null,
})
const ISSUANCES: CertificateInfo['issuance'][] = [
  null,
  issuance(null),
  issuance({ code: 'caa_forbids', message: 'A CAA record forbids it.', detail: null }),
]

function viewOf(
  facts: DomainFacts,
  now: number,
  wanted: CertificateInfo['issuance'],
  role: 'primary' | 'redirect',
): DomainView {
  const row: DomainRow = {
    id: 'dom_1',
    project_id: 1,
    hostname: 'www.example.test',
    redirect_to: role === 'redirect' ? 'example.test' : null,
    redirect_status: role === 'redirect' ? 301 : null,
    hsts_seconds: null,
    added_at: facts.addedAt,
    removed_at: facts.removedAt,
    removal: null,
    revoke: 0,
    proof: 'petstore-verify=1',
    own_zone: null,
    alone_at: null,
    ...columnsOf(facts),
  }
  const { certificate } = facts
  const good = certificate && certificate.notAfter > now ? certificate : null
  const info: CertificateInfo = {
    certificate: good && {
      issuer: 'CN=Test',
      authority: null,
      isFallback: false,
      serial: '1',
      notBefore: iso(good.notBefore),
      notAfter: iso(good.notAfter),
      fingerprint: 'AA',
      renewAt: iso(good.renewAt),
    },
    certificateEndedAt: certificate && !good ? iso(certificate.notAfter) : null,
    issuance: wanted,
  }
  return domainView(row, info, facts.dueAt ?? undefined, now)
}
