import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readConfig } from '../../../config.ts'
import { DAY_MS, HOUR_MS } from '../../../platform/clock.ts'
import { askBudget, charge, entriesFor, retryAfterMeter, type BudgetEvent, type BudgetRequest } from './budget.ts'
import { LETS_ENCRYPT_LIMITS, limitsOf } from './limits.ts'

const limits = LETS_ENCRYPT_LIMITS
const start = Date.UTC(2026, 10, 1)
const shop = (label: string | number, replacing = false): BudgetRequest => {
  return { names: [`${label}.example.com`], replacing }
}

function openAccount(now = start) {
  const meters = new Map<string, number>()
  const account = {
    now,
    meters,
    ask: (request: BudgetRequest) => askBudget(limits, meters, request, account.now),
    note(event: BudgetEvent) {
      for (const [meter, value] of charge(limits, meters, event, account.now)) meters.set(meter, value)
    },
  }
  return account
}

test('40 of 50 certificates of a registered domain may be new names at once, the next when one is given back', () => {
  const account = openAccount()
  for (let i = 0; i < 40; i++) {
    assert.equal(account.ask(shop(i)).allowed, true)
    account.note({ kind: 'ordered', ...shop(i) })
  }
  const refused = account.ask(shop('one-more'))
  assert.ok(!refused.allowed)
  assert.equal(refused.decidedBy.meter, 'certificatesPerRegisteredDomain:example.com')
  assert.equal(refused.at, start + (7 * DAY_MS) / 50)
  account.now = refused.at - 1
  assert.equal(account.ask(shop('one-more')).allowed, false)
  account.now = refused.at
  assert.equal(account.ask(shop('one-more')).allowed, true)
})

test('of 300 orders of an account in three hours the last 60 are kept for names that are live', () => {
  const account = openAccount()
  const order = (i: number) => account.note({ kind: 'ordered', names: [`shop${i}.com`], replacing: false })
  for (let i = 0; i < 240; i++) order(i)
  const refused = account.ask({ names: ['another.org'], replacing: false })
  assert.ok(!refused.allowed)
  assert.deepEqual([refused.decidedBy.limit, refused.at - start], ['orders', 36_000])
  const live = { names: ['live.org'], replacing: false, urgency: 'live' as const }
  assert.equal(account.ask(live).allowed, true)
  for (let i = 240; i < 300; i++) order(i)
  assert.equal(account.ask(live).allowed, false)
  assert.equal(account.ask({ ...live, urgency: 'at_risk' }).allowed, true, 'the authority alone may say no now')
})

test('an exact set counts in any order and case, and five failures of a hostname close it for twelve minutes', () => {
  const account = openAccount()
  const pair = { names: ['A.example.com', 'b.example.com'], replacing: false }
  for (let i = 0; i < 5; i++) account.note({ kind: 'ordered', ...pair })
  const refused = account.ask({ names: ['b.example.com', 'a.example.com'], replacing: false })
  assert.ok(!refused.allowed)
  assert.equal(refused.decidedBy.meter, 'certificatesPerExactSet:a.example.com,b.example.com')
  assert.equal(account.ask(shop('a')).allowed, true)

  for (let i = 0; i < 5; i++) account.note({ kind: 'validation_failed', hostname: 'c.example.com' })
  const failing = account.ask(shop('c'))
  assert.ok(!failing.allowed)
  assert.deepEqual([failing.decidedBy.limit, failing.at - start], ['failedValidationsPerHostname', HOUR_MS / 5])
})

test('a renewal that names its predecessor counts against nothing where the authority says so, and only there', () => {
  const account = openAccount()
  for (let i = 0; i < 300; i++) account.note({ kind: 'ordered', ...shop(i) })
  for (let i = 0; i < 20; i++) {
    assert.equal(account.ask(shop('renewed', true)).allowed, true)
    account.note({ kind: 'ordered', ...shop('renewed', true) })
  }
  const others = limitsOf('https://acme.example/directory', { certificatesPerExactSet: { burst: 5, windowMs: DAY_MS } })
  assert.deepEqual(
    entriesFor(others, shop('renewed', true)).map(({ limit }) => limit),
    ['certificatesPerExactSet', 'retryAfter'],
  )
})

test('five presses leave room for the attempt that comes by itself', () => {
  const account = openAccount()
  const press = { ...shop('www'), isExtra: true }
  for (let i = 0; i < 4; i++) account.note({ kind: 'validation_failed', hostname: 'www.example.com' })
  assert.equal(account.ask(press).allowed, false)
  assert.equal(account.ask(shop('www')).allowed, true)
})

test('what the authority asked for by Retry-After holds for every order of the name, at risk or not', () => {
  const account = openAccount()
  account.meters.set(retryAfterMeter('www.example.com'), start + HOUR_MS)
  for (const urgency of ['new', 'live', 'at_risk'] as const) {
    const refused = account.ask({ ...shop('www', true), urgency })
    assert.ok(!refused.allowed)
    assert.deepEqual([refused.decidedBy.limit, refused.at], ['retryAfter', start + HOUR_MS])
  }
  assert.equal(account.ask(shop('other')).allowed, true)
})

test('an order that fails gives its certificates back, but not the order', () => {
  const account = openAccount()
  for (let i = 0; i < 20; i++) {
    account.note({ kind: 'ordered', ...shop('www') })
    account.note({ kind: 'order_failed', ...shop('www') })
  }
  const answer = account.ask(shop('www'))
  assert.equal(answer.allowed, true)
  assert.deepEqual(
    answer.left.map(({ limit, left }) => [limit, left]),
    [
      ['orders', 220],
      ['certificatesPerRegisteredDomain', 40],
      ['certificatesPerExactSet', 5],
      ['failedValidationsPerHostname', 5],
    ],
  )
})

test('private suffixes count as domains of their own, and limits belong to the authority that has them', () => {
  assert.ok(
    entriesFor(limits, { names: ['a.github.io'], replacing: false }).some(
      ({ meter }) => meter === 'certificatesPerRegisteredDomain:a.github.io',
    ),
  )
  assert.equal(limitsOf('https://acme-v02.api.letsencrypt.org/directory'), LETS_ENCRYPT_LIMITS)
  assert.equal(limitsOf('https://acme-staging-v02.api.letsencrypt.org/directory').orders?.burst, 1500)
  for (const host of ['acme-v02.api.letsencrypt.org.example', 'acme.zerossl.com', 'ca.internal']) {
    const names = entriesFor(limitsOf(`https://${host}/directory`), shop('a')).map(({ limit }) => limit)
    assert.deepEqual(names, ['retryAfter'], `${host} has none until it says 429`)
  }
  const set = { orders: { burst: 7, windowMs: HOUR_MS } }
  assert.equal(limitsOf('https://acme-v02.api.letsencrypt.org/directory', set), set, 'the operator knows better')
})

test('a project orders at most 60 new certificates in three hours, and others and renewals are left alone', () => {
  const account = openAccount()
  const of = (id: string, label: number, replacing = false): BudgetRequest => {
    return { names: [`shop-${label}-of-${id}.com`], replacing, holder: { share: 'ordersPerProject', id } }
  }
  for (let i = 0; i < 60; i++) {
    assert.equal(account.ask(of('1', i)).allowed, true)
    account.note({ kind: 'ordered', ...of('1', i) })
  }
  const refused = account.ask(of('1', 60))
  assert.ok(!refused.allowed)
  assert.deepEqual([refused.decidedBy.limit, refused.at - start], ['ordersPerProject', (3 * HOUR_MS) / 60])
  assert.equal(account.ask(of('2', 60)).allowed, true)
  assert.equal(account.ask(of('1', 0, true)).allowed, true)
  assert.equal(account.ask({ ...of('1', 0), urgency: 'live' }).allowed, true)
})

test('the projects of one account get at most ten names of the platform certified in a week', () => {
  const account = openAccount()
  const of = (id: string, label: number): BudgetRequest => {
    return {
      names: [`${id}-${label}.pets.example`],
      replacing: false,
      holder: { share: 'platformNamesPerAccount', id },
    }
  }
  for (let i = 0; i < 10; i++) account.note({ kind: 'ordered', ...of('acc_eve', i) })
  const refused = account.ask(of('acc_eve', 10))
  assert.ok(!refused.allowed && refused.decidedBy.limit === 'platformNamesPerAccount')
  assert.equal(account.ask(of('acc_ada', 0)).allowed, true)
})

const steps = fc.array(
  fc.record({ waitMs: fc.oneof(fc.nat(60_000), fc.nat(DAY_MS)), label: fc.nat(8), replacing: fc.boolean() }),
  { minLength: 1, maxLength: 200 },
)

test('whoever orders only when allowed never spends more than the burst plus what was given back', () => {
  fc.assert(
    fc.property(steps, (walk) => {
      const account = openAccount()
      const granted: { at: number; meters: string[] }[] = []
      for (const { waitMs, label, replacing } of walk) {
        account.now += waitMs
        const request = shop(label, replacing)
        if (!account.ask(request).allowed) continue
        account.note({ kind: 'ordered', ...request })
        granted.push({ at: account.now, meters: entriesFor(limits, request).map(({ meter }) => meter) })
      }
      for (const name of ['orders', 'certificatesPerRegisteredDomain', 'certificatesPerExactSet'] as const) {
        const { burst, windowMs } = limits[name]!
        const spent = granted.flatMap(({ at, meters }) => meters.map((meter) => ({ at, meter })))
        const ofThisLimit = spent.filter(({ meter }) => meter.startsWith(name))
        for (const spends of Map.groupBy(ofThisLimit, ({ meter }) => meter).values()) {
          for (let i = 0; i < spends.length; i++) {
            const elapsedMs = spends[spends.length - 1]!.at - spends[i]!.at
            assert.ok(spends.length - i <= burst + (elapsedMs * burst) / windowMs + 1e-6)
          }
        }
      }
    }),
    { numRuns: 60 },
  )
})

test('the moment that a refusal names is the first at which the order is allowed', () => {
  fc.assert(
    fc.property(steps, fc.nat(8), (walk, label) => {
      const account = openAccount()
      for (const step of walk) {
        account.now += Math.floor(step.waitMs / 1000)
        account.note({ kind: 'ordered', ...shop(step.label) })
        if (step.replacing) account.note({ kind: 'validation_failed', hostname: `${step.label}.example.com` })
      }
      const answer = account.ask(shop(label))
      if (answer.allowed) return
      account.now = answer.at - 1
      assert.equal(account.ask(shop(label)).allowed, false)
      account.now = answer.at
      assert.equal(account.ask(shop(label)).allowed, true)
    }),
    { numRuns: 100 },
  )
})

test('a clock that is set back never opens a limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 5, max: 12 }), fc.nat(30 * DAY_MS), (orders, backMs) => {
      const account = openAccount()
      for (let i = 0; i < orders; i++) account.note({ kind: 'ordered', ...shop('www') })
      account.now -= backMs
      assert.equal(account.ask(shop('www')).allowed, false)
    }),
  )
})

test('the operator’s settings name the limits of an authority, and one that makes no sense ends the start', () => {
  const limitsIn = (text: string) => {
    const directory = 'https://ca.example/directory'
    return readConfig({ PETSTORE_ACME_DIRECTORY: directory, PETSTORE_ACME_LIMITS: text }).acme?.limits
  }
  assert.deepEqual(limitsIn('orders=300/3h, name=5/7d,failures=60/90m'), {
    orders: { burst: 300, windowMs: 3 * HOUR_MS },
    certificatesPerExactSet: { burst: 5, windowMs: 7 * DAY_MS },
    failedValidationsPerHostname: { burst: 60, windowMs: 1.5 * HOUR_MS },
  })
  assert.deepEqual([limitsIn('none'), limitsIn('')], [{}, undefined])
  for (const text of ['orders', 'orders=0/3h', 'orders=5/3w', 'constructor=5/3h', 'orders=5/3h;name=5/7d']) {
    assert.throws(() => limitsIn(text), /PETSTORE_ACME_LIMITS has "/, text)
  }
})
