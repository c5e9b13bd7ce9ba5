import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import {
  attach,
  detach,
  isAttached,
  makePrimary,
  type ProjectDomains,
  redirectFor,
  type RedirectOutcome,
  setRedirect,
} from './redirects.ts'

const NONE: ProjectDomains = { primary: null, redirects: [] }

function all(...steps: ((domains: ProjectDomains) => RedirectOutcome)[]): ProjectDomains {
  return steps.reduce((domains, step) => {
    const outcome = step(domains)
    assert.ok(outcome.ok)
    return outcome.domains
  }, NONE)
}

const attached = (...names: string[]) => all(...names.map((name) => (domains: ProjectDomains) => attach(domains, name)))
const reasonOf = (outcome: RedirectOutcome) => (outcome.ok ? 'accepted' : outcome.reason)

test('the first domain is primary, later ones redirect to it with 301', () => {
  assert.deepEqual(attached('a.test', 'b.test', 'c.test'), {
    primary: 'a.test',
    redirects: [
      { from: 'b.test', to: 'a.test', status: 301 },
      { from: 'c.test', to: 'a.test', status: 301 },
    ],
  })
  assert.equal(reasonOf(attach(attached('a.test'), 'a.test')), 'already_attached')
})

test('making another one primary swaps the two and shortens the ways', () => {
  const swapped = makePrimary(attached('a.test', 'b.test', 'c.test'), 'b.test')
  assert.ok(swapped.ok)
  assert.deepEqual(swapped.domains, {
    primary: 'b.test',
    redirects: [
      { from: 'a.test', to: 'b.test', status: 301 },
      { from: 'c.test', to: 'b.test', status: 301 },
    ],
  })
  assert.equal(reasonOf(makePrimary(NONE, 'x.test')), 'not_attached')
})

test('every allowed status is kept, any other is refused', () => {
  const domains = attached('a.test', 'b.test')
  for (const status of [301, 302, 307, 308]) {
    const outcome = setRedirect(domains, { from: 'b.test', to: 'a.test', status })
    assert.equal(outcome.ok && redirectFor(outcome.domains, 'b.test')?.status, status)
  }
  for (const status of [0, 200, 300, 303, 304, 309, 301.5, NaN]) {
    assert.equal(reasonOf(setRedirect(domains, { from: 'b.test', to: 'a.test', status })), 'bad_status')
  }
})

test('cycles, foreign targets and a redirecting primary are refused with a sentence', () => {
  const chained = all(
    (domains) => attach(domains, 'a.test'),
    (domains) => attach(domains, 'b.test'),
    (domains) => attach(domains, 'c.test'),
    (domains) => setRedirect(domains, { from: 'c.test', to: 'b.test', status: 302 }),
  )
  const cycle = setRedirect(chained, { from: 'b.test', to: 'c.test', status: 301 })
  assert.ok(!cycle.ok)
  assert.match(cycle.message, /b\.test → c\.test → b\.test/)
  assert.equal(reasonOf(setRedirect(chained, { from: 'b.test', to: 'b.test', status: 301 })), 'cycle')
  assert.equal(reasonOf(setRedirect(chained, { from: 'b.test', to: 'evil.test', status: 301 })), 'target_not_attached')
  assert.equal(reasonOf(setRedirect(chained, { from: 'x.test', to: 'a.test', status: 301 })), 'not_attached')
  assert.equal(reasonOf(setRedirect(chained, { from: 'a.test', to: 'b.test', status: 301 })), 'is_primary')
})

test('removing leaves no redirect to nowhere', () => {
  const domains = attached('a.test', 'b.test', 'c.test')
  const withoutPrimary = detach(domains, 'a.test')
  assert.ok(withoutPrimary.ok)
  assert.deepEqual(withoutPrimary.domains, {
    primary: 'b.test',
    redirects: [{ from: 'c.test', to: 'b.test', status: 301 }],
  })
  assert.deepEqual(detach(attached('a.test'), 'a.test'), { ok: true, domains: NONE })
  assert.equal(reasonOf(detach(NONE, 'a.test')), 'not_attached')
})

test('no sequence of changes ever leads to a cycle, a foreign target or a domain lost', () => {
  const name = fc.constantFrom('a.test', 'b.test', 'c.test', 'd.test', 'e.test')
  const change = fc.oneof(
    name.map((hostname) => (domains: ProjectDomains) => attach(domains, hostname)),
    name.map((hostname) => (domains: ProjectDomains) => makePrimary(domains, hostname)),
    name.map((hostname) => (domains: ProjectDomains) => detach(domains, hostname)),
    fc.tuple(name, name, fc.constantFrom(301, 302, 307, 308)).map(
      ([from, to, status]) =>
        (domains: ProjectDomains) =>
          setRedirect(domains, { from, to, status }),
    ),
  )
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      let domains = NONE
      for (const apply of changes) {
        const before = structuredClone(domains)
        const outcome = apply(domains)
        assert.deepEqual(domains, before, 'nothing is changed in place')
        if (!outcome.ok) continue
        domains = outcome.domains
        const names = [domains.primary, ...domains.redirects.map(({ from }) => from)]
        assert.equal(new Set(names).size, names.length, 'each domain has one role')
        assert.ok(domains.primary !== null || domains.redirects.length === 0)
        for (const { from, to } of domains.redirects) {
          assert.ok(isAttached(domains, to))
          let at: string = from
          for (let hops = 0; hops <= domains.redirects.length; hops += 1) at = redirectFor(domains, at)?.to ?? at
          assert.equal(at, domains.primary, 'every way ends at the primary')
        }
      }
    }),
    { numRuns: 500 },
  )
})
